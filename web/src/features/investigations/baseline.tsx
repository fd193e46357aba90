// The customer's usual activity: amounts over time, with the alert's transaction marked and the median drawn.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type uPlot from 'uplot'
import type { Schemas } from '@/api/client.ts'
import { Chart } from '@/components/chart/chart.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, money, number, When } from '@/components/ui/value.tsx'
import { type Amounts, amounts } from './amounts.ts'
import { TRANSACTIONS_MAX, transactionsQuery } from './queries.ts'

export function Baseline({ one }: { one: Schemas['Investigation'] }) {
  const list = useQuery(transactionsQuery(one))
  const { transaction = null } = one
  const metadata = one.alert?.metadata
  const found = useMemo(
    () => (list.data ? amounts(list.data.items, transaction, detectorMedian(metadata)) : null),
    [list.data, transaction, metadata],
  )
  return (
    <Panel title="Customer’s usual activity" aside={<Limit isCut={typeof list.data?.next === 'string'} />}>
      {list.isPending && <Loading rows={5} label="Loading the customer's transactions" />}
      {list.isError && (
        <Failed what="The customer's transactions" problem={list.error} retry={() => void list.refetch()} />
      )}
      {list.isSuccess && found === null && (
        <Empty title="No transactions on record for this customer">
          The alert came without transactions. Send them to <code className="font-mono">/api/transactions</code> to see
          them here.
        </Empty>
      )}
      {found && <AmountsChart found={found} />}
    </Panel>
  )
}

function Limit({ isCut }: { isCut: boolean }) {
  return isCut ? <span className="text-muted text-sm">Newest {number(TRANSACTIONS_MAX)} only</span> : null
}

function AmountsChart({ found }: { found: Amounts }) {
  const [selected, setSelected] = useState<number | null>(null)
  const data = useMemo(() => series(found), [found])
  const options = useMemo(() => chartOptions(found.isLog), [found.isLog])
  const startIndex = found.at === -1 ? found.rows.length - 1 : found.at
  const row = found.rows[selected ?? startIndex]
  return (
    <div className="flex flex-col gap-2 px-4 py-3">
      <p className="text-sm">{inWords(found)}</p>
      <Chart
        data={data}
        options={options}
        height={240}
        label={`Amounts over time. ${inWords(found)}`}
        selected={selected}
        startIndex={startIndex}
        onSelect={setSelected}
        valueText={row ? `${fullTime(row.occurred_at)}: ${rowInWords(row, found)}` : ''}
      />
      <p className="foreign min-h-5 text-sm">
        {row && (
          <>
            <When at={row.occurred_at} /> {rowInWords(row, found)}
          </>
        )}
      </p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-muted text-xs">
        <span>○ other transactions</span>
        <span>
          <span className="text-flagged">●</span> this transaction
        </span>
        {found.median && <span>- - median {money(found.median)}</span>}
        {found.isLog && <span>logarithmic scale</span>}
        {found.others > 0 && <span>{number(found.others)} in other currencies not shown</span>}
      </p>
    </div>
  )
}

function rowInWords(row: Schemas['TransactionRow'], found: Amounts): string {
  const where = row.merchant ? ` at ${row.merchant}` : ''
  return `${money(row.amount)}${where}${found.rows[found.at] === row ? ' (this transaction)' : ''}`
}

/** Describes the chart in words. */
function inWords({ rows, at, median, largest }: Amounts): string {
  const [first, last, about] = [rows[0], rows.at(-1), rows[at]]
  if (!first || !last) return ''
  const count = `${number(rows.length)} ${rows.length === 1 ? 'transaction' : 'transactions'}`
  const usual = median ? `, earlier median ${money(median)}` : ''
  const here = about ? ` This one was ${money(about.amount)}.` : ''
  return `${count} from ${fullTime(first.occurred_at)} to ${fullTime(last.occurred_at)}${usual}; the largest was ${money(largest)}.${here}`
}

function series({ rows, at, median }: Amounts): uPlot.AlignedData {
  const level = median === null ? null : Number(median.amount)
  return [
    rows.map(({ occurred_at }) => Date.parse(occurred_at) / 1_000),
    rows.map(({ amount }, index) => (index === at ? null : Number(amount.amount))),
    rows.map(({ amount }, index) => (index === at ? Number(amount.amount) : null)),
    rows.map(() => level),
  ]
}

const DAY_S = 86_400
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })

function chartOptions(isLog: boolean) {
  return (color: (token: string) => string): Omit<uPlot.Options, 'width' | 'height'> => {
    const axis = { stroke: color('muted'), grid: { stroke: color('line'), width: 1 }, ticks: { stroke: color('line') } }
    return {
      legend: { show: false },
      scales: { y: { distr: isLog ? 3 : 1 } },
      axes: [
        {
          ...axis,
          values: (_, splits, _axis, _space, stepS) =>
            splits.map((split) => (stepS >= DAY_S ? DAY : CLOCK).format(split * 1_000)),
        },
        {
          ...axis,
          size: 56,
          grid: { ...axis.grid, filter: isLog ? powersOfTen : (_, splits) => splits },
          ticks: { ...axis.ticks, filter: isLog ? powersOfTen : (_, splits) => splits },
          values: (_, splits) => splits.map((split) => (split === null ? '' : COMPACT.format(split))),
        },
      ],
      series: [
        {},
        {
          paths: () => null,
          points: { show: true, size: 5, width: 1, stroke: color('muted'), fill: color('surface') },
        },
        {
          paths: () => null,
          points: { show: true, size: 12, width: 2, stroke: color('flagged'), fill: color('flagged') },
        },
        { stroke: color('ink'), width: 1, dash: [6, 5], points: { show: false } },
      ],
    }
  }
}

function powersOfTen(_: uPlot, splits: number[]): (number | null)[] {
  return splits.map((split) => (Number.isInteger(Math.log10(split)) ? split : null))
}

/** The median that the detector compared with, from the alert's metadata. */
function detectorMedian(metadata: unknown): Schemas['Money'] | null {
  const at = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? (value as { [name: string]: unknown })[name] : undefined
  const median = at(at(at(at(metadata, 'signals'), 'amount_deviation'), 'baseline'), 'median_amount')
  const [amount, currency] = [at(median, 'amount'), at(median, 'currency')]
  return typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : null
}

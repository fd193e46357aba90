// Totals over the rows below: average risk, counts by verdict, and the trend.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import { useSearchParams } from 'wouter'
import { Select } from '@/components/ui/field.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'
import { lazyComponent } from '@/lazy-component.ts'
import { StatusCounts } from './counts.tsx'
import type { Filters } from './filters.ts'
import { Gauge } from './gauge.tsx'
import type { Recent } from './recent.ts'
import { mean, type Range, statsQuery } from './stats.ts'

const Trend = lazyComponent(() => import('./trend.tsx'))

const RANGES: [Range, string][] = [
  ['hour', 'Last hour'],
  ['day', 'Last day'],
  ['all', 'All time'],
]

export function Summary({ filters, recent }: { filters: Filters; recent: Recent }) {
  const stats = useQuery(statsQuery(filters, null, recent))
  if (stats.isError && stats.data === undefined) {
    return (
      <Panel label="Summary">
        <Failed what="The summary" problem={stats.error} retry={() => void stats.refetch()} />
      </Panel>
    )
  }
  if (stats.data === undefined) return <LoadingSummary filters={filters} recent={recent} />
  const { total, by_status, by_score, partial } = stats.data
  return (
    <div className={GRID}>
      <SummaryTile title="Average risk">
        <Gauge risk={mean(by_score)} total={total} />
      </SummaryTile>
      <SummaryTile title={partial === true ? 'Answers found so far' : 'Answers'} aside={`${number(total)} in total`}>
        <StatusCounts byStatus={by_status} total={total} />
      </SummaryTile>
      <TrendTile filters={filters} recent={recent} />
    </div>
  )
}

/** Placeholders, because a zero would look like a result. */
function LoadingSummary({ filters, recent }: { filters: Filters; recent: Recent }) {
  return (
    <div className={GRID}>
      <SummaryTile title="Average risk">
        <div role="status" aria-label="Loading the average risk" className="skeleton h-14 w-40 max-w-full" />
      </SummaryTile>
      <SummaryTile title="Answers">
        <div role="status" aria-label="Loading the counts" className="skeleton h-14" />
      </SummaryTile>
      <TrendTile filters={filters} recent={recent} />
    </div>
  )
}

function TrendTile({ filters, recent }: { filters: Filters; recent: Recent }) {
  const [range, choose] = useRange()
  const { data } = useQuery(statsQuery(filters, range, recent))
  return (
    <SummaryTile
      title="Average risk over time"
      aside={<Select label="Time range" value={range} options={RANGES} onChange={choose} className="h-7 py-0" />}
      className="col-span-2 xl:col-span-1"
    >
      <div className="h-24">
        <Suspense fallback={<div className="skeleton h-full" />}>
          {data === undefined ? <div className="skeleton h-full" /> : <Trend trend={data.trend} range={range} />}
        </Suspense>
      </div>
    </SummaryTile>
  )
}

function useRange(): [Range, (range: string) => void] {
  const [search, setSearch] = useSearchParams()
  const requested = search.get('range')
  const choose = (range: string) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        next.set('range', range)
        return next
      },
      { replace: true },
    )
  return [RANGES.find(([range]) => range === requested)?.[0] ?? 'hour', choose]
}

interface SummaryTileProps {
  title: string
  aside?: ReactNode
  children: ReactNode
  className?: string
}

function SummaryTile({ title, aside, children, className = '' }: SummaryTileProps) {
  return (
    <section
      aria-label={title}
      className={`min-w-0 rounded-md border border-line bg-surface px-3 py-3 sm:px-4 ${className}`}
    >
      <header className="mb-2 flex min-h-7 items-center justify-between gap-3 text-muted text-sm">
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

const GRID = 'grid grid-cols-[auto_minmax(0,1fr)] gap-3 xl:grid-cols-[auto_minmax(0,0.8fr)_minmax(0,1.2fr)]'

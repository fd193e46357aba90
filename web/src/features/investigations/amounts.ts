// A customer's amounts over time, for the chart. Floats are used only to place points; amounts in words stay decimal text.
import type { Schemas } from '@/api/client.ts'

type Money = Schemas['Money']
type TransactionRow = Schemas['TransactionRow']

export interface Amounts {
  /** Transactions in one currency, oldest first. */
  rows: TransactionRow[]
  /** The index of the alert's transaction; -1 if it is not among them. */
  at: number
  currency: string
  median: Money | null
  largest: Money
  /** Whether the amounts differ so much that only a logarithmic scale shows them all. */
  isLog: boolean
  /** How many transactions are left out because they are in another currency. */
  others: number
}

/** From this ratio of the largest to the smallest amount on, the scale is logarithmic. */
const LOG_FROM_RATIO = 40

/** Selects the amounts for the chart, in the currency of the alert's transaction. */
export function amounts(
  all: readonly TransactionRow[],
  alerted: TransactionRow | null,
  detectorMedian: Money | null,
): Amounts | null {
  const currency = alerted?.amount.currency ?? all[0]?.amount.currency
  const listed = alerted === null || all.some(({ seq }) => seq === alerted.seq) ? all : [...all, alerted]
  const rows = listed
    .filter(({ amount }) => amount.currency === currency)
    .sort((one, other) => Date.parse(one.occurred_at) - Date.parse(other.occurred_at) || one.seq - other.seq)
  const sorted = rows.map(({ amount }) => amount).sort((one, other) => Number(one.amount) - Number(other.amount))
  const [smallest, largest] = [sorted[0], sorted.at(-1)]
  if (currency === undefined || smallest === undefined || largest === undefined) return null
  const at = alerted === null ? -1 : rows.findIndex(({ seq }) => seq === alerted.seq)
  const earlier = rows.filter((_, index) => at === -1 || index < at).map(({ amount }) => amount.amount)
  return {
    rows,
    at,
    currency,
    median: detectorMedian?.currency === currency ? detectorMedian : medianOf(earlier, currency),
    largest,
    isLog: Number(smallest.amount) > 0 && Number(largest.amount) / Number(smallest.amount) >= LOG_FROM_RATIO,
    others: listed.length - rows.length,
  }
}

/** The exact median. */
export function medianOf(texts: readonly string[], currency: string): Money | null {
  const places = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0))
  const scaled = texts.map((text) => scale(text, places)).sort((one, other) => (one < other ? -1 : one > other ? 1 : 0))
  const [low, high] = [scaled[(scaled.length - 1) >> 1], scaled[scaled.length >> 1]]
  if (low === undefined || high === undefined) return null
  const twice = low + high
  // Half of an odd sum needs one more digit.
  const amount = twice % 2n === 0n ? unscale(twice / 2n, places) : unscale(twice * 5n, places + 1)
  return { amount, currency }
}

function scale(text: string, places: number): bigint {
  const [whole = '0', part = ''] = text.split('.')
  return /^\d+$/.test(whole + part) ? BigInt(whole + part.padEnd(places, '0')) : 0n
}

function unscale(value: bigint, places: number): string {
  const digits = value.toString().padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}

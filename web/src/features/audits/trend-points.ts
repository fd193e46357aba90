// Turns the trend into evenly spaced points, and into words.
import { number } from '@/components/ui/value.tsx'
import type { Counts } from './stats.ts'

export interface Point {
  atMs: number
  total: number
  /** The average; `null` if there were no answers. */
  risk: number | null
}

/** Every bucket of the time range, including empty ones, so that the time axis is even. */
export function filled(trend: Counts['trend'], bucketMs: number, spanMs: number | null, nowMs: number): Point[] {
  const known = new Map(trend.map((point) => [Date.parse(point.start), point]))
  const last = Math.floor(nowMs / bucketMs) * bucketMs
  const oldest = trend[0] === undefined ? last : Date.parse(trend[0].start)
  const first = spanMs === null ? Math.min(oldest, last - 23 * bucketMs) : last - spanMs + bucketMs
  const points: Point[] = []
  for (let atMs = first; atMs <= last; atMs += bucketMs) {
    const point = known.get(atMs)
    points.push({ atMs, total: point?.total ?? 0, risk: point === undefined ? null : point.average_risk })
  }
  return points
}

/** Describes the whole trend: the number of answers and the peak. */
export function inWords(points: readonly Point[], bucketMs: number): string {
  const seen = points.filter(({ risk }) => risk !== null)
  const highest = seen.reduce<Point | null>((top, point) => ((point.risk ?? 0) > (top?.risk ?? -1) ? point : top), null)
  if (highest === null) return 'No answers in this period'
  const total = seen.reduce((sum, { total }) => sum + total, 0)
  return `${answers(total)}, peak average ${average(highest)} from ${time(highest, bucketMs)}`
}

/** Describes one bucket: its time, average and number of answers. */
export function pointInWords(point: Point, bucketMs: number): string {
  const when = time(point, bucketMs)
  return point.risk === null
    ? `${when}: no answers`
    : `${when}: average risk ${average(point)}, ${answers(point.total)}`
}

function answers(total: number): string {
  return `${number(total)} ${total === 1 ? 'answer' : 'answers'}`
}

function average({ risk }: Point): string {
  return (risk ?? 0).toFixed(1)
}

const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** The start and end of a bucket, with the date unless it is today. */
function time({ atMs }: Point, bucketMs: number): string {
  const [from, to] = [new Date(atMs), new Date(atMs + bucketMs)]
  const day = from.toDateString() === new Date().toDateString() ? '' : `${DAY.format(from)} `
  return `${day}${CLOCK.format(from)} to ${CLOCK.format(to)}`
}

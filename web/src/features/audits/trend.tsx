// How the average risk went over time. Loaded after the rest of the page: it brings the charting library with it.
import { useMemo } from 'react'
import uPlot from 'uplot'
import { Chart } from '@/components/chart/chart.tsx'
import { clock, fullTime, number, useNow } from '@/components/ui/value.tsx'
import { type Counts, type Range, SPANS } from './stats.ts'

const HEIGHT = 84
const TICK_MS = 15_000

export default function Trend({ trend, range }: { trend: Counts['trend']; range: Range }) {
  const now = useNow(TICK_MS)
  const { bucketMs, spanMs } = SPANS[range]
  const points = useMemo(() => filled(trend, bucketMs, spanMs, now), [trend, bucketMs, spanMs, now])
  const data = useMemo<uPlot.AlignedData>(
    () => [points.map(({ at }) => at / 1_000), points.map(({ risk }) => risk)],
    [points],
  )
  return <Chart data={data} options={OPTIONS[range]} height={HEIGHT} label={inWords(points)} />
}

interface Point {
  at: number
  total: number
  risk: number | null
}

/** Every bucket of the span, those without answers too: time passes evenly. */
function filled(trend: Counts['trend'], bucketMs: number, spanMs: number | null, now: number): Point[] {
  const known = new Map(trend.map((point) => [Date.parse(point.start), point]))
  const last = Math.floor(now / bucketMs) * bucketMs
  const oldest = trend[0] === undefined ? last : Date.parse(trend[0].start)
  const first = spanMs === null ? Math.min(oldest, last - 23 * bucketMs) : last - spanMs + bucketMs
  const points: Point[] = []
  for (let at = first; at <= last; at += bucketMs) {
    const point = known.get(at)
    points.push({ at, total: point?.total ?? 0, risk: point === undefined ? null : point.average_risk })
  }
  return points
}

function inWords(points: Point[]): string {
  const seen = points.filter(({ risk }) => risk !== null)
  const highest = seen.reduce<Point | null>((top, point) => ((point.risk ?? 0) > (top?.risk ?? -1) ? point : top), null)
  if (highest === null) return 'Average risk over time: no answers in this time'
  const answers = number(seen.reduce((sum, { total }) => sum + total, 0))
  return `Average risk over time, ${answers} answers: highest ${(highest.risk ?? 0).toFixed(1)} at ${fullTime(new Date(highest.at).toISOString())}`
}

const OPTIONS: Record<Range, Parameters<typeof Chart>[0]['options']> = {
  hour: options(60),
  day: options(3_600),
  all: options(3_600),
}

function options(bucketS: number): Parameters<typeof Chart>[0]['options'] {
  return (color) => ({
    legend: { show: false },
    cursor: { show: false },
    padding: [6, 14, 0, 0],
    scales: {
      x: { range: (_, min, max) => [min - bucketS / 2, max + bucketS / 2] },
      // Small averages are the rule: they fill the room, but a quiet time must not look like a storm.
      y: { range: (_, __, max) => [0, Math.min(10, Math.max(2, Math.ceil(max ?? 0)))] },
    },
    axes: [
      {
        stroke: color('muted'),
        grid: { show: false },
        ticks: { show: false },
        size: 18,
        font: '11px system-ui',
        gap: 2,
        values: times,
      },
      {
        stroke: color('muted'),
        grid: { stroke: color('line'), width: 1 },
        ticks: { show: false },
        size: 24,
        font: '11px system-ui',
        splits: (u) => [0, (u.scales.y?.max ?? 2) / 2, u.scales.y?.max ?? 2],
        values: (_, all) => all.map((value) => (Number.isInteger(value) ? String(value) : '')),
      },
    ],
    series: [
      {},
      {
        fill: color('line-strong'),
        stroke: color('line-strong'),
        width: 0,
        points: { show: false },
        paths: uPlot.paths.bars?.({ size: [0.7, 14], align: 0 }) as uPlot.Series.PathBuilder,
      },
    ],
  })
}

/** The day where a span crosses midnight, the time of day otherwise. */
function times(_: uPlot, splits: number[]): string[] {
  const days = new Set(splits.map((at) => new Date(at * 1_000).toDateString()))
  return splits.map((at) => {
    const date = new Date(at * 1_000)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    if (days.size > 1 && isMidnight) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    return clock(date.toISOString()).slice(0, 5)
  })
}

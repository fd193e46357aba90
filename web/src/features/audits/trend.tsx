// The average risk over time as a chart, with the selected point in words. Loaded after the rest of the page, because it
// brings the charting library.
import { useMemo, useState } from 'react'
import uPlot from 'uplot'
import { Chart } from '@/components/chart/chart.tsx'
import { clock, useNow } from '@/components/ui/value.tsx'
import { type Counts, type Range, SPANS } from './stats.ts'
import { filled, inWords, pointInWords } from './trend-points.ts'

const HEIGHT = 72
const TICK_MS = 15_000

export default function Trend({ trend, range }: { trend: Counts['trend']; range: Range }) {
  const now = useNow(TICK_MS)
  const [selected, setSelected] = useState<number | null>(null)
  const { bucketMs, spanMs } = SPANS[range]
  const points = useMemo(() => filled(trend, bucketMs, spanMs, now), [trend, bucketMs, spanMs, now])
  const data = useMemo<uPlot.AlignedData>(
    () => [points.map(({ atMs }) => atMs / 1_000), points.map(({ risk }) => risk)],
    [points],
  )
  const [startIndex, all] = [points.length - 1, inWords(points, bucketMs)]
  const describe = (index: number) => (points[index] === undefined ? all : pointInWords(points[index], bucketMs))
  return (
    <>
      <Chart
        data={data}
        options={OPTIONS[range]}
        height={HEIGHT}
        label={`Average risk over time. ${all}`}
        selected={selected}
        startIndex={startIndex}
        onSelect={setSelected}
        valueText={describe(selected ?? startIndex)}
      />
      <p
        data-testid="trend-text"
        className={`truncate pt-1 text-xs leading-5 ${selected === null ? 'text-muted' : ''}`}
      >
        {selected === null ? all : describe(selected)}
      </p>
    </>
  )
}

const OPTIONS: Record<Range, Parameters<typeof Chart>[0]['options']> = {
  hour: options(60),
  day: options(3_600),
  all: options(3_600),
}

function options(bucketS: number): Parameters<typeof Chart>[0]['options'] {
  return (color) => ({
    legend: { show: false },
    padding: [6, 14, 0, 0],
    scales: {
      x: { range: (_, min, max) => [min - bucketS / 2, max + bucketS / 2] },
      // Averages are mostly small, so the scale follows them, but it never ends below 2: a quiet hour must not look alarming.
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

/** Labels midnight with the date if the range spans several days, and everything else with the time. */
function times(_: uPlot, splits: number[]): string[] {
  const days = new Set(splits.map((at) => new Date(at * 1_000).toDateString()))
  return splits.map((at) => {
    const date = new Date(at * 1_000)
    const isMidnight = date.getHours() === 0 && date.getMinutes() === 0
    if (days.size > 1 && isMidnight) return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
    return clock(date.toISOString()).slice(0, 5)
  })
}

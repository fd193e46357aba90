// A uPlot chart that follows its data, its container's width and the theme. Every point can be read as text: by pointing at
// it, or by focusing the chart and walking with the arrow keys.
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '@/theme/theme.ts'

interface Props {
  data: uPlot.AlignedData
  /** Called for each theme; `color` returns a token's value. Must keep its identity: a new function rebuilds the chart. */
  options: (color: (token: string) => string) => Omit<uPlot.Options, 'width' | 'height'>
  height: number
  /** The accessible name: a description of the chart. */
  label: string
  /** The index of the selected point, if any. */
  selected: number | null
  /** The index at which the arrow keys start without a selection. */
  startIndex: number
  onSelect: (index: number | null) => void
  /** The selected point, or else the start point, in words. */
  valueText: string
}

const OFF_CHART = { left: -10, top: -10 }
const CURSOR: uPlot.Cursor = { y: false, drag: { x: false, y: false }, points: { show: false } }

export function Chart({ data, options, height, label, selected, startIndex, onSelect, valueText }: Props) {
  const container = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef({ data, onSelect })
  latest.current = { data, onSelect }
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what `color` returns.
  useEffect(() => {
    const element = container.current
    if (element === null) return
    const styles = getComputedStyle(document.documentElement)
    const color = (token: string) => styles.getPropertyValue(`--${token}`).trim()
    const hooks: uPlot.Hooks.Arrays = { setCursor: [({ cursor }) => latest.current.onSelect(cursor.idx ?? null)] }
    const chartOptions = { ...options(color), cursor: CURSOR, hooks, width: element.clientWidth, height }
    const chart = new uPlot(chartOptions, latest.current.data, element)
    plot.current = chart
    const fit = new ResizeObserver(() => chart.setSize({ width: element.clientWidth, height }))
    fit.observe(element)
    return () => {
      fit.disconnect()
      chart.destroy()
      plot.current = null
    }
  }, [options, height, theme])
  useEffect(() => plot.current?.setData(data), [data])

  const last = data[0].length - 1
  const select = (at: number | null) => {
    const x = at === null ? undefined : data[0][at]
    // Points can share a time, so the index that uPlot finds for the position is not used.
    plot.current?.setCursor(x === undefined ? OFF_CHART : { left: plot.current.valToPos(x, 'x'), top: 0 }, false)
    onSelect(at)
  }
  const walk = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(selected ?? startIndex, last)
    if (to === undefined) return
    event.preventDefault()
    select(to === null ? null : Math.max(0, Math.min(last, to)))
  }
  const selectOnFocus = ({ currentTarget }: FocusEvent) => {
    if (currentTarget.matches(':focus-visible')) select(selected ?? startIndex)
  }
  return (
    <div
      ref={container}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={selected ?? startIndex}
      aria-valuetext={valueText}
      onKeyDown={walk}
      onFocus={selectOnFocus}
      onBlur={() => select(null)}
      className="min-w-0 overflow-hidden"
    />
  )
}

const STEPS: Record<string, (here: number, last: number) => number | null> = {
  ArrowLeft: (here) => here - 1,
  ArrowDown: (here) => here - 1,
  ArrowRight: (here) => here + 1,
  ArrowUp: (here) => here + 1,
  Home: () => 0,
  End: (_, last) => last,
  Escape: () => null,
}

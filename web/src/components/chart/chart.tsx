// uPlot on a page: made once, fed when the data change, fitted to its room, drawn anew in the colours of the theme. Each of
// its places can be read as text: by pointing at it, and by reaching the chart with Tab and walking with the arrow keys.
import { type FocusEvent, type KeyboardEvent, useEffect, useRef } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { useTheme } from '@/theme/theme.ts'

interface Props {
  data: uPlot.AlignedData
  /** Made anew for each theme: `color` gives a token's value. Must not change otherwise. */
  options: (color: (token: string) => string) => Omit<uPlot.Options, 'width' | 'height'>
  height: number
  /** What the chart says, in words, for those who don't see it. */
  label: string
  /** The place that is pointed at, and where the arrow keys begin while there is none. */
  pointed: number | null
  rest: number
  onPoint: (at: number | null) => void
  /** What the place says that is pointed at, or else where it rests. */
  said: string
}

const NOWHERE = { left: -10, top: -10 }
const CURSOR: uPlot.Cursor = { y: false, drag: { x: false, y: false }, points: { show: false } }

export function Chart({ data, options, height, label, pointed, rest, onPoint, said }: Props) {
  const room = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef({ data, onPoint })
  latest.current = { data, onPoint }
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what `color` gives.
  useEffect(() => {
    const element = room.current
    if (element === null) return
    const styles = getComputedStyle(document.documentElement)
    const color = (token: string) => styles.getPropertyValue(`--${token}`).trim()
    const hooks: uPlot.Hooks.Arrays = { setCursor: [({ cursor }) => latest.current.onPoint(cursor.idx ?? null)] }
    const own = { ...options(color), cursor: CURSOR, hooks, width: element.clientWidth, height }
    const made = new uPlot(own, latest.current.data, element)
    plot.current = made
    const fit = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }))
    fit.observe(element)
    return () => {
      fit.disconnect()
      made.destroy()
      plot.current = null
    }
  }, [options, height, theme])
  useEffect(() => plot.current?.setData(data), [data])

  const last = data[0].length - 1
  const point = (at: number | null) => {
    const x = at === null ? undefined : data[0][at]
    // Places can share a time, which the line alone would not tell apart: what it finds is not asked for.
    plot.current?.setCursor(x === undefined ? NOWHERE : { left: plot.current.valToPos(x, 'x'), top: 0 }, false)
    onPoint(at)
  }
  const walk = (event: KeyboardEvent) => {
    const to = STEPS[event.key]?.(pointed ?? rest, last)
    if (to === undefined) return
    event.preventDefault()
    point(to === null ? null : Math.max(0, Math.min(last, to)))
  }
  const begin = ({ currentTarget }: FocusEvent) => {
    if (currentTarget.matches(':focus-visible')) point(pointed ?? rest)
  }
  return (
    <div
      ref={room}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, last)}
      aria-valuenow={pointed ?? rest}
      aria-valuetext={said}
      onKeyDown={walk}
      onFocus={begin}
      onBlur={() => point(null)}
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

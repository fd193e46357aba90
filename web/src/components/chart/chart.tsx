// uPlot on a page: made once, fed when the data change, fitted to its room, drawn anew in the colours of the theme.
import { useEffect, useRef } from 'react'
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
}

export function Chart({ data, options, height, label }: Props) {
  const room = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  const latest = useRef(data)
  latest.current = data
  const theme = useTheme()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the theme changes what `color` gives.
  useEffect(() => {
    const element = room.current
    if (element === null) return
    const styles = getComputedStyle(document.documentElement)
    const color = (token: string) => styles.getPropertyValue(`--${token}`).trim()
    const made = new uPlot({ ...options(color), width: element.clientWidth, height }, latest.current, element)
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
  return <div ref={room} role="img" aria-label={label} className="min-w-0 overflow-hidden" />
}

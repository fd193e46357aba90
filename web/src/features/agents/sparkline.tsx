// The last hour of an agent, one bar per minute. Failures are marked by a triangle above their minute, not only by colour.
import { number } from '@/components/ui/value.tsx'
import type { Minute } from './queries.ts'

const MINUTES = 60
const STEP = 3
const HEIGHT = 28
/** Space above the bars for failure marks. */
const HEADROOM = 6

export function Sparkline({ history }: { history: Minute[] }) {
  const minutes = history.slice(-MINUTES)
  const peak = Math.max(1, ...minutes.map(({ processed }) => processed))
  const from = MINUTES - minutes.length
  return (
    <svg
      role="img"
      aria-label={inWords(minutes)}
      viewBox={`0 0 ${MINUTES * STEP} ${HEIGHT}`}
      width={MINUTES * STEP}
      height={HEIGHT}
      className="block max-w-full"
    >
      <title>{inWords(minutes)}</title>
      <path d={`M0 ${HEIGHT - 0.5}h${MINUTES * STEP}`} className="stroke-line" />
      {minutes.map(({ at, processed, failed }, index) => {
        const x = (from + index) * STEP
        const height = processed === 0 ? 0 : Math.max(1, (processed / peak) * (HEIGHT - HEADROOM - 1))
        return (
          <g key={at}>
            {height > 0 && (
              <rect x={x} y={HEIGHT - 1 - height} width={STEP - 1} height={height} className="fill-line-strong" />
            )}
            {failed > 0 && <path d={`M${x - 1.5} 0h5l-2.5 5z`} className="fill-flagged" />}
          </g>
        )
      })}
    </svg>
  )
}

function inWords(minutes: Minute[]): string {
  const sum = (pick: (minute: Minute) => number) => minutes.reduce((total, minute) => total + pick(minute), 0)
  const failed = sum(({ failed }) => failed)
  const peak = Math.max(0, ...minutes.map(({ processed }) => processed))
  const processed = `${number(sum(({ processed }) => processed))} processed in the last hour, at most ${number(peak)} per minute`
  return failed === 0 ? `${processed}; no failures` : `${processed}; ${number(failed)} failed attempts`
}

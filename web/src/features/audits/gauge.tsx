// The average risk from 0 to 10 as an arc, a number, a word and a colour.
import { Icon, type IconName } from '@/components/ui/icon.tsx'

interface Level {
  name: 'safe' | 'warning' | 'flagged'
  word: string
  icon: IconName
  text: string
}

const LEVELS: Record<Level['name'], Level> = {
  safe: { name: 'safe', word: 'Low', icon: 'check', text: 'text-safe' },
  warning: { name: 'warning', word: 'Raised', icon: 'warning', text: 'text-warning' },
  flagged: { name: 'flagged', word: 'High', icon: 'flag', text: 'text-flagged' },
}

/** Green below 4, yellow below 7, red from there on. */
export function levelOf(risk: number): Level {
  return LEVELS[risk < 4 ? 'safe' : risk < 7 ? 'warning' : 'flagged']
}

const ARC = 'M8 46 A38 38 0 0 1 84 46'
const LENGTH = Math.PI * 38

/** One decimal, and never rounded into another level: 3.96 is shown as 3.9. */
export function shownRisk(risk: number): string {
  const rounded = risk.toFixed(1)
  return levelOf(Number(rounded)) === levelOf(risk) ? rounded : (Math.floor(risk * 10) / 10).toFixed(1)
}

export function Gauge({ risk, total }: { risk: number; total: number }) {
  const level = levelOf(risk)
  const exact = total === 0 ? 'No answers' : `Exactly ${risk} of 10`
  return (
    // biome-ignore lint/a11y/useSemanticElements: the browser's own meter can't be drawn as an arc.
    <div
      role="meter"
      aria-label="Average risk"
      aria-valuemin={0}
      aria-valuemax={10}
      aria-valuenow={risk}
      aria-valuetext={total === 0 ? '0, no answers' : `${shownRisk(risk)} of 10, ${level.word.toLowerCase()}`}
      title={exact}
      data-level={level.name}
      className="flex flex-col items-center gap-x-3 gap-y-1 sm:flex-row"
    >
      <svg viewBox="0 0 92 54" width={92} height={54} fill="none" aria-hidden="true" className="shrink-0">
        <path d={ARC} strokeWidth={8} strokeLinecap="round" className="stroke-sunken" />
        <path
          d={ARC}
          strokeWidth={8}
          strokeLinecap="round"
          stroke="currentColor"
          strokeDasharray={`${(Math.min(risk, 10) / 10) * LENGTH} ${LENGTH * 2}`}
          // At 0 the round line cap would still draw a dot.
          className={`${level.text} ${risk === 0 ? 'opacity-0' : ''} transition-[stroke-dasharray] duration-150`}
        />
      </svg>
      <div>
        <p className="font-semibold text-2xl">
          <span className="inline-block min-w-[2.2ch]">{shownRisk(risk)}</span>
          <span className="font-normal text-base text-muted"> / 10</span>
        </p>
        {total === 0 ? (
          <p className="text-muted text-sm">No answers</p>
        ) : (
          <p className={`flex items-center gap-1 text-sm ${level.text}`}>
            <Icon name={level.icon} size={13} />
            {level.word}
          </p>
        )}
      </div>
    </div>
  )
}

// The score as a sum of its signals' contributions, with the cap if one applied.
import { type Composition, nameInWords, shortName } from './signals.ts'

const SHADES = ['bg-ink', 'bg-ink/70', 'bg-ink/45', 'bg-ink/30']

export function ScoreSum({ composition, score }: { composition: Composition; score: number }) {
  const { parts, sum } = composition
  return (
    <section aria-label="Score" className="flex flex-col gap-2 rounded-md border border-line bg-surface px-4 py-3">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1">
        <span className="font-semibold text-2xl">{score}</span>
        <span className="text-muted">of 100</span>
        {parts.length > 0 && <span data-testid="score-parts">{inWords(composition, score)}</span>}
      </p>
      <div aria-hidden="true" className="flex h-2.5 w-full max-w-2xl gap-px overflow-hidden rounded-sm bg-sunken">
        {parts.map(({ name, points }, at) => (
          <div
            key={name}
            title={`${nameInWords(name)} ${points}`}
            className={SHADES[Math.min(at, SHADES.length - 1)]}
            // Above the cap the parts share the whole width.
            style={{ width: `${(points / Math.max(100, sum)) * 100}%` }}
          />
        ))}
        {parts.length === 0 && <div className="bg-ink" style={{ width: `${score}%` }} />}
      </div>
      <p className="text-muted text-sm">{note(composition)}</p>
    </section>
  )
}

function inWords({ parts, sum, isCapped }: Composition, score: number): string {
  const total = parts.map(({ name, points }) => `${shortName(name)} ${points}`).join(' + ')
  return `= ${total}${isCapped ? ` = ${sum}, capped at ${score}` : ''}`
}

function note({ parts, isCapped, addsUp }: Composition): string {
  if (parts.length === 0) return 'The score comes from the alert. Its signals do not state their contributions.'
  if (!addsUp) return 'The signals do not add up to the alert’s score.'
  if (isCapped) return 'The contributions add up to more than 100, the highest possible score.'
  return 'Each signal that fired added its points.'
}

// The signals one by one: value, threshold, contribution to the score, and explanation.
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Json } from '@/components/ui/json.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Empty } from '@/components/ui/states.tsx'
import { number, sentenceCase } from '@/components/ui/value.tsx'
import { nameInWords, type Signal, type SignalOutcome } from './signals.ts'

const OUTCOMES: Record<SignalOutcome, { word: string; tone: Tone }> = {
  fired: { word: 'Fired', tone: 'flagged' },
  clear: { word: 'Clear', tone: 'safe' },
  insufficient_history: { word: 'Not enough history', tone: 'neutral' },
  not_applicable: { word: 'Not applicable', tone: 'neutral' },
}

export function SignalList({ signals, metadata }: { signals: Signal[]; metadata: unknown }) {
  return (
    <Panel title="Signals">
      {signals.length === 0 && (
        <Empty title="The alert carries no signals">
          It came from an external system that sent only a severity and a score.
        </Empty>
      )}
      <ul>
        {signals.map((signal) => (
          <SignalItem key={signal.name} signal={signal} />
        ))}
      </ul>
      <OtherData metadata={metadata} />
    </Panel>
  )
}

function SignalItem({ signal }: { signal: Signal }) {
  const outcome = signal.outcome === null ? null : OUTCOMES[signal.outcome]
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-1.5 border-line border-b px-4 py-3 last:border-b-0 sm:grid-cols-[11rem_minmax(0,1fr)_8rem]">
      <div className="flex flex-wrap items-center gap-2 sm:flex-col sm:items-start">
        <h3 className="foreign font-medium first-letter:uppercase">{nameInWords(signal.name)}</h3>
        {outcome && <Badge tone={outcome.tone}>{outcome.word}</Badge>}
      </div>
      <div className="flex min-w-0 flex-col gap-1.5">
        {signal.explanation && <p className="foreign">{signal.explanation}</p>}
        <Measured signal={signal} />
        {signal.flags.map((flag) => (
          <p key={flag.name} className="foreign border-line-strong border-l-2 pl-3 text-sm">
            <span className="font-medium">{sentenceCase(nameInWords(flag.name))}</span>
            {flag.weight !== null && ` (${number(flag.weight)} points)`}
            {flag.message && `: ${flag.message}`}
          </p>
        ))}
        <Compared signal={signal} />
      </div>
      {signal.contribution !== null && <Contribution points={signal.contribution} />}
    </li>
  )
}

function Measured({ signal: { value, threshold, unit } }: { signal: Signal }) {
  if (value === null && threshold === null) return null
  return (
    <p className="foreign text-sm">
      {value !== null && (
        <>
          <span className="text-muted">Value</span> {number(value)}{' '}
        </>
      )}
      {threshold !== null && (
        <>
          <span className="text-muted">Threshold</span> {number(threshold)}{' '}
        </>
      )}
      {unit && <span className="text-muted">{unit}</span>}
    </p>
  )
}

function Compared({ signal: { baseline, details } }: { signal: Signal }) {
  if (baseline.length + details.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="text-muted">Baseline and details</summary>
      <div className="flex flex-col gap-3 py-2">
        {baseline.length > 0 && <DefinitionList rows={baseline} />}
        {details.length > 0 && <DefinitionList rows={details} />}
      </div>
    </details>
  )
}

function Contribution({ points }: { points: number }) {
  return (
    <div className="flex items-center gap-2 sm:flex-col sm:items-end sm:gap-1">
      <span className={points > 0 ? 'font-semibold' : 'text-muted'}>
        {points > 0 ? '+' : ''}
        {number(points)} points
      </span>
      <div aria-hidden="true" className="h-1.5 w-28 rounded-sm bg-sunken">
        <div className="h-full rounded-sm bg-ink" style={{ width: `${Math.max(0, Math.min(100, points))}%` }} />
      </div>
    </div>
  )
}

const KNOWN_FIELDS = ['transaction_id', 'signals', 'contributions_sum', 'is_capped', 'rules_hash']

/** Metadata of the alert beyond the known fields. */
function OtherData({ metadata }: { metadata: unknown }) {
  const all = typeof metadata === 'object' && metadata !== null ? Object.entries(metadata) : []
  const rest = Object.fromEntries(all.filter(([name]) => !KNOWN_FIELDS.includes(name)))
  if (Object.keys(rest).length === 0) return null
  return (
    <details className="border-line border-t px-4 py-2 text-sm">
      <summary className="text-muted">Other alert data</summary>
      <div className="py-2">
        <Json value={rest} label="Other alert data" />
      </div>
    </details>
  )
}

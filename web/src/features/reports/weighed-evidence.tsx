// How the report check weighed the evidence: what was measured, the row of the table that applied, and the weaknesses.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { number, sentenceCase } from '@/components/ui/value.tsx'
import { inWords } from './sections.ts'

type Weighed = Schemas['WeighedEvidence']
type Strength = Schemas['Strength']

const TONES: Record<Strength, Tone> = { none: 'flagged', weak: 'warning', adequate: 'neutral', strong: 'safe' }

/** The table in `docs/supervisor.md`. The first row that applies counts. */
const ROWS: { row: Schemas['EvidenceRow']; means: string; strength: Strength }[] = [
  {
    row: 'nothing_measured',
    means: 'No signal beyond its threshold, and no matching rule on a recorded transaction',
    strength: 'none',
  },
  { row: 'no_transaction', means: 'Measured signals, but no transaction on record to check them', strength: 'weak' },
  { row: 'one_rule', means: 'A single rule, and no measured signal', strength: 'weak' },
  { row: 'one_source', means: 'A single measured signal, or several rules alone', strength: 'adequate' },
  { row: 'corroborated', means: 'Several measured signals, or one together with a rule', strength: 'strong' },
]

interface Props {
  weighed: Weighed
  /** How strongly the text states the evidence. */
  stated: Strength | null | undefined
  /** The resulting strength: the lowest of evidence, text and model. */
  strength: Strength
}

export function WeighedEvidence({ weighed, stated, strength }: Props) {
  return (
    <section aria-label="Evidence" className="flex flex-col gap-2 border-line border-t pt-3 text-sm">
      <h3 className="flex flex-wrap items-center gap-2">
        <span className="font-semibold">Evidence</span>
        <Badge tone={TONES[weighed.strength]}>{sentenceCase(weighed.strength)}</Badge>
      </h3>
      <Counted counted={weighed.counted} />
      <AppliedRow weighed={weighed} />
      {weighed.weaknesses.length > 0 && <Weaknesses weaknesses={weighed.weaknesses} />}
      {strength !== weighed.strength && (
        <p>
          {stated === strength ? 'The text states less than the evidence shows' : 'The model rates the evidence lower'},
          so the justification counts as <strong className="font-medium">{strength}</strong>.
        </p>
      )}
    </section>
  )
}

function Counted({ counted }: { counted: Schemas['Evidence'] }) {
  return (
    <ul className="flex flex-col gap-1">
      {counted.signals.map((signal) => (
        <li key={signal.name}>
          <span className="foreign inline-block first-letter:uppercase">{inWords(signal.name)}</span>{' '}
          <span className="font-medium tabular-nums">{number(signal.value)}</span>
          <span className="text-muted">
            , threshold <span className="tabular-nums">{number(signal.threshold)}</span>{' '}
            <span className="foreign">{signal.unit}</span>
          </span>
        </li>
      ))}
      {counted.rules.length > 0 && (
        <li className="foreign">
          {counted.rules.length === 1 ? 'Matching rule: ' : 'Matching rules: '}
          {counted.rules.map(inWords).join(', ')}
        </li>
      )}
      {counted.signals.length + counted.rules.length === 0 && <li>No measured signal and no rule.</li>}
      <li className="text-muted">{history(counted)}</li>
    </ul>
  )
}

/** For example "Transaction on record, compared with 40 earlier ones, the last 2 days before." */
export function history({ transaction_on_record, baseline }: Schemas['Evidence']): string {
  if (!transaction_on_record) return 'No transaction on record.'
  const earlier = baseline?.transactions ?? 0
  if (earlier === 0) return 'Transaction on record, with no earlier one in its currency to compare with.'
  const days = baseline?.days_since_last
  const last = typeof days === 'number' ? `, ${earlier === 1 ? 'made' : 'the last'} ${ago(days)}` : ''
  return `Transaction on record, compared with ${number(earlier)} earlier ${earlier === 1 ? 'one' : 'ones'}${last}.`
}

function ago(days: number): string {
  if (days === 0) return 'less than a day before'
  return `${number(days)} ${days === 1 ? 'day' : 'days'} before`
}

function AppliedRow({ weighed }: { weighed: Weighed }) {
  const applied = ROWS.find(({ row }) => row === weighed.row)
  return (
    <details>
      <summary>
        {applied?.means ?? inWords(weighed.row)}: <strong className="font-medium">{weighed.base}</strong>
      </summary>
      <table className="mt-2 w-full">
        <caption className="pb-1 text-left text-muted text-xs">
          How evidence is weighed. The first row that applies counts.
        </caption>
        <tbody>
          {ROWS.map(({ row, means, strength }) => (
            <tr
              key={row}
              aria-current={row === weighed.row ? 'true' : undefined}
              className={`border-line border-t align-baseline ${row === weighed.row ? 'font-medium' : 'text-muted'}`}
            >
              <td className="py-1 pr-4">{means}</td>
              <td className="py-1 text-right">{strength}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

function Weaknesses({ weaknesses }: { weaknesses: Schemas['Weakness'][] }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-muted">Weaknesses</p>
      <ul className="flex flex-col gap-1.5">
        {weaknesses.map(({ kind, detail, steps }) => (
          <li key={`${kind} ${detail}`} className="border-line-strong border-l-2 pl-3">
            <span className="inline-block font-medium first-letter:uppercase">{inWords(kind)}</span>
            {steps > 0 && <span className="text-muted"> · one step down</span>}
            <p className="foreign text-muted">{detail}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

// The findings of one audit with their explanations. A finding about particular words links to them.
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { sentenceCase } from '@/components/ui/value.tsx'
import { findingName } from '../finding-names.ts'
import { COUNTED_FROM, type Finding, KINDS } from '../log.ts'
import { LOOKS } from './kinds.ts'
import { type MarkedFinding, markId } from './marked.tsx'

export function FindingList({ found }: { found: MarkedFinding[] }) {
  if (found.length === 0) return <p className="text-muted text-sm">No findings.</p>
  return (
    <ol className="flex flex-col gap-2">
      {found.map(({ id, finding }) => (
        <li key={id} className="rounded-md border border-line px-3 py-2 text-sm">
          <FindingHead id={id} finding={finding} />
          <p className="foreign mt-1">{finding.explanation || 'No explanation was given.'}</p>
          <p className="mt-1 flex flex-wrap gap-x-3 text-muted text-xs">
            <span>Found by {finding.detector}</span>
            <span title={String(finding.score)}>Score {finding.score.toFixed(2)}</span>
            {finding.score < COUNTED_FROM && <span>Below {COUNTED_FROM}: noted, not counted</span>}
            {finding.masked === true && <span>Masked before delivery</span>}
          </p>
        </li>
      ))}
    </ol>
  )
}

const SEVERITIES: Record<string, Tone> = { high: 'flagged', medium: 'warning', low: 'neutral' }

function FindingHead({ id, finding }: { id: string; finding: Finding }) {
  const look = LOOKS[finding.kind]
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className={`px-0.5 underline-offset-2 ${look?.background} ${look?.underline}`}>
        {KINDS[finding.kind]?.name ?? finding.kind}
      </span>
      <span className="font-medium">{findingName(finding.type)}</span>
      <Badge tone={SEVERITIES[finding.severity] ?? 'neutral'}>{sentenceCase(finding.severity)}</Badge>
      <span className="ml-auto">
        {finding.start >= finding.end ? (
          <span className="text-muted text-xs">Concerns the whole answer</span>
        ) : (
          <button
            type="button"
            onClick={() => scrollToMark(id)}
            className="text-accent text-xs underline underline-offset-2"
          >
            Show in the {finding.in === 'query' ? 'query' : 'answer'}
          </button>
        )}
      </span>
    </div>
  )
}

function scrollToMark(id: string) {
  const mark = document.getElementById(markId(id))
  mark?.scrollIntoView({ block: 'center' })
  mark?.focus({ preventScroll: true })
}

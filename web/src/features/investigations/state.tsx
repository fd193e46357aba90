// Where alerts and investigations stand, in a word.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'

type Known = Schemas['State'] | Schemas['AlertState']

const STATES: Record<Known, { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'neutral' },
  in_review: { word: 'Waiting for review', tone: 'warning' },
  approved: { word: 'Approved', tone: 'safe' },
  sent_back: { word: 'Sent back', tone: 'warning' },
  disposed: { word: 'Disposed of', tone: 'neutral' },
  recorded: { word: 'Recorded', tone: 'neutral' },
  reported: { word: 'Reported', tone: 'neutral' },
  closed: { word: 'Closed', tone: 'safe' },
}

export function StateBadge({ state }: { state: Known }) {
  const { word, tone } = STATES[state] ?? { word: state, tone: 'neutral' }
  return <Badge tone={tone}>{word}</Badge>
}

/** What the supervisor made of a report. */
export function ReportVerdict({
  passed,
  score,
}: {
  passed: boolean | null | undefined
  score: number | null | undefined
}) {
  if (typeof passed !== 'boolean') return <span className="text-muted">not judged yet</span>
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Badge tone={passed ? 'safe' : 'warning'}>{passed ? 'Passed' : 'Needs review'}</Badge>
      {typeof score === 'number' && <span className="text-muted">{score}</span>}
    </span>
  )
}

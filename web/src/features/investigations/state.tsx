// Badges for the states of alerts, investigations and report checks.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'

type CaseState = Schemas['State'] | Schemas['AlertState']

const STATES: Record<CaseState, { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'neutral' },
  in_review: { word: 'Waiting for review', tone: 'warning' },
  approved: { word: 'Approved', tone: 'safe' },
  sent_back: { word: 'Sent back', tone: 'warning' },
  disposed: { word: 'Closed', tone: 'neutral' },
  recorded: { word: 'Recorded', tone: 'neutral' },
  reported: { word: 'Reported', tone: 'neutral' },
  closed: { word: 'Closed', tone: 'safe' },
}

/** Who approved an investigation: a reviewer, or the system because its report passed the report check. */
export type ApprovedBy = 'person' | 'system'

export function approvedBy(reviews: Pick<Schemas['ReviewRow'], 'decision'>[]): ApprovedBy {
  return reviews.some(({ decision }) => decision === 'approve') ? 'person' : 'system'
}

/** Without `approvedBy` it is unknown who approved. */
export function StateBadge({ state, approvedBy }: { state: CaseState; approvedBy?: ApprovedBy }) {
  if (state === 'approved' && approvedBy === 'system') return <Badge tone="safe">Auto-approved</Badge>
  if (state === 'approved' && approvedBy === 'person') {
    return (
      <Badge tone="safe" icon="person">
        Approved
      </Badge>
    )
  }
  const { word, tone } = STATES[state] ?? { word: state, tone: 'neutral' }
  return <Badge tone={tone}>{word}</Badge>
}

/** The result of a report check. */
export function ReportVerdict({
  passed,
  score,
}: {
  passed: boolean | null | undefined
  score: number | null | undefined
}) {
  if (typeof passed !== 'boolean') return <span className="text-muted">Not checked yet</span>
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Badge tone={passed ? 'safe' : 'warning'}>{passed ? 'Report check passed' : 'Needs review'}</Badge>
      {typeof score === 'number' && <span className="text-muted">{score}</span>}
    </span>
  )
}

// The events of an investigation with links to the ledger, its anomalies, and the reviewers' decisions.
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { sentenceCase, When } from '@/components/ui/value.tsx'
import { eventName } from '@/ledger/event-names.ts'

export function Timeline({ events, isTruncated }: { events: Schemas['EventName'][]; isTruncated: boolean }) {
  return (
    <Panel title="Timeline">
      <ol className="flex max-h-96 flex-col overflow-y-auto px-4 py-2 text-sm">
        {events.map(({ event_id, event_type, occurred_at }) => (
          <li key={event_id} className="flex items-baseline gap-3 py-1">
            <span className="w-28 shrink-0 text-muted">
              <When at={occurred_at} />
            </span>
            <Link href={`/ledger/${event_id}`} className="min-w-0 underline decoration-line-strong underline-offset-2">
              {eventName(event_type)}
            </Link>
          </li>
        ))}
      </ol>
      {isTruncated && (
        <p className="border-line border-t px-4 py-2 text-muted text-sm">Later events are on the ledger page.</p>
      )}
    </Panel>
  )
}

const LEVELS: Record<Schemas['Level'], Tone> = { low: 'neutral', medium: 'warning', high: 'flagged' }

export function Anomalies({ anomalies }: { anomalies: Schemas['Anomaly'][] }) {
  if (anomalies.length === 0) return null
  return (
    <Panel title="Anomalies">
      <ul className="flex flex-col gap-2 px-4 py-3">
        {anomalies.map(({ event_id, severity, description, flagged_at }) => (
          <li key={event_id} className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <Badge tone={LEVELS[severity] ?? 'neutral'}>{sentenceCase(severity)}</Badge>
            <span className="foreign min-w-0 flex-1">{description}</span>
            <Link href={`/ledger/${event_id}`} className="text-muted text-sm underline underline-offset-2">
              <When at={flagged_at} />
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const DECISIONS: Record<Schemas['Decision'], { word: string; tone: Tone }> = {
  approve: { word: 'Approved', tone: 'safe' },
  send_back: { word: 'Sent back', tone: 'warning' },
  dispose: { word: 'Closed', tone: 'neutral' },
}

export function Reviews({ reviews }: { reviews: Schemas['ReviewRow'][] }) {
  if (reviews.length === 0) return null
  return (
    <Panel title="Reviewer decisions">
      <ul className="flex flex-col gap-3 px-4 py-3 text-sm">
        {reviews.map((review) => (
          <li key={review.event_id} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <Badge tone={DECISIONS[review.decision].tone}>{DECISIONS[review.decision].word}</Badge>
              <span className="foreign">{review.decided_by_name ?? review.decided_by}</span>
              <Link href={`/ledger/${review.event_id}`} className="text-muted underline underline-offset-2">
                <When at={review.decided_at} />
              </Link>
              {review.disposition && <span className="text-muted">{sentenceCase(review.disposition)}</span>}
            </span>
            {review.comment && <p className="foreign">{review.comment}</p>}
            {review.revision && review.revision.will_change.length === 0 && (
              <p className="text-muted">No new version: the built-in writer can’t act on this comment.</p>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}

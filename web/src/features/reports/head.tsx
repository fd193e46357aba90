// The header of a report: report check, severity, state, reviewer decisions, available actions and exports.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge, SeverityBadge } from '@/components/ui/badge.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { When } from '@/components/ui/value.tsx'
import { caseQuery, versionsQuery } from './queries.ts'
import { ReviewActions } from './review.tsx'
import { DECIDED, STATES } from './standing.ts'
import { PassBadge } from './verdict.tsx'

export function ReportHead({ report }: { report: Schemas['Report'] }) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <Link
          href={`/investigations/${report.investigation_id}`}
          className="flex items-center gap-1 self-start text-muted text-sm hover:text-ink"
        >
          <Icon name="left" />
          Investigation
        </Link>
        <h1 className="flex flex-wrap items-center gap-2 font-semibold text-xl">
          <PassBadge passed={report.passed} />
          {report.severity && <SeverityBadge severity={report.severity} />}
          Report, version {report.version}
        </h1>
        <p role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          <StandingBadge report={report} />
          {typeof report.risk_score === 'number' && <span>Risk score {report.risk_score} of 100</span>}
          {!report.is_current && <Superseded id={report.id} />}
          <Decisions report={report} />
        </p>
      </div>
      <div className="flex flex-col gap-2 sm:items-end">
        <ReviewActions report={report} />
        <Exports id={report.id} />
      </div>
    </header>
  )
}

/** An approval by a person looks different from an automatic one. */
function StandingBadge({ report }: { report: Schemas['Report'] }) {
  const { data, isFetching } = useQuery(caseQuery(report.investigation_id))
  if (!report.status) return null
  const { word, tone } = STATES[report.status]
  // While the case is being fetched, its list of decisions may not contain the newest one yet.
  if (report.status !== 'approved' || data === undefined || isFetching) return <Badge tone={tone}>{word}</Badge>
  const isByPerson = data.reviews.some(({ report_id, decision }) => report_id === report.id && decision === 'approve')
  if (!isByPerson) return <Badge tone={tone}>Auto-approved</Badge>
  return (
    <Badge tone={tone} icon="person">
      {word}
    </Badge>
  )
}

/** An older version links to the current one once that is written. */
function Superseded({ id }: { id: string }) {
  const { data } = useQuery(versionsQuery(id))
  const current = data?.find(({ is_current }) => is_current)
  return (
    <span>
      Superseded
      {current && (
        <>
          {' '}
          by{' '}
          <Link href={`/reports/${current.id}`} className="text-accent underline underline-offset-2">
            version {current.version}
          </Link>
        </>
      )}
    </span>
  )
}

/** The reviewers' decisions on this version. */
function Decisions({ report }: { report: Schemas['Report'] }) {
  const { data } = useQuery(caseQuery(report.investigation_id))
  const ours = data?.reviews.filter(({ report_id }) => report_id === report.id) ?? []
  return ours.map((review) => (
    <span key={review.event_id} className="foreign">
      <Link href={`/ledger/${review.event_id}`} className="underline underline-offset-2">
        {review.decided_by_name ?? review.decided_by} {DECIDED[review.decision]}
      </Link>{' '}
      <When at={review.decided_at} />
      {review.comment && `: ${review.comment}`}
    </span>
  ))
}

const FORMATS: [format: string, name: string][] = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
  ['html', 'HTML'],
]

function Exports({ id }: { id: string }) {
  return (
    <nav aria-label="Export" className="flex flex-wrap items-center gap-2 text-sm">
      {FORMATS.map(([format, name]) => (
        <a
          key={format}
          href={`/api/reports/${id}/export?format=${format}`}
          download={`report-${id}.${format}`}
          className="inline-flex h-7 items-center gap-1 rounded-md border border-line px-2 text-muted hover:border-line-strong hover:text-ink"
        >
          <Icon name="download" size={14} />
          {name}
        </a>
      ))}
    </nav>
  )
}

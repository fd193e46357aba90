// A summary of the report that waits for review, or else the newest, with a link to it. Decisions are made on the report page.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { useHasRole } from '@/api/session.ts'
import { Panel } from '@/components/ui/panel.tsx'
import { Loading } from '@/components/ui/states.tsx'
import { reportQuery } from './queries.ts'
import { ReportVerdict, StateBadge } from './state.tsx'

export function ReportCard({ one }: { one: Schemas['Investigation'] }) {
  const current = one.reports.find(({ id }) => id === one.report_id) ?? one.reports[0]
  const others = one.reports.filter((report) => report !== current)
  return (
    <Panel
      title={current && current.version > 1 ? `Report, version ${current.version}` : 'Report'}
      aside={current && <ReportVerdict passed={current.passed} score={current.validation_score} />}
    >
      <div className="flex flex-col gap-3 px-4 py-3">
        {current ? (
          <Current report={current} />
        ) : (
          <p className="text-muted text-sm">No report has been written yet. It will appear here automatically.</p>
        )}
        {others.map((report) => (
          <p key={report.id} className="flex flex-wrap items-center gap-x-2 gap-y-1 text-sm">
            <Link href={`/reports/${report.id}`} className="text-accent underline underline-offset-2">
              {report.report_type} report, version {report.version}
            </Link>
            {report.status && <StateBadge state={report.status} />}
          </p>
        ))}
      </div>
    </Panel>
  )
}

function Current({ report }: { report: Schemas['ReportRow'] }) {
  const text = useQuery(reportQuery(report.id))
  const mayDecide = useHasRole('reviewer') && report.status === 'in_review'
  return (
    <>
      {text.isPending && <Loading rows={3} label="Loading the summary" />}
      {text.data && (
        <p className="foreign line-clamp-6 text-sm leading-relaxed">
          {text.data.executive_summary.replaceAll('`', '')}
        </p>
      )}
      <Link
        href={`/reports/${report.id}`}
        className={`inline-flex h-8 items-center self-start rounded-md border px-3 font-medium text-sm ${
          mayDecide ? 'border-accent bg-accent text-on-accent' : 'border-line bg-surface text-ink'
        }`}
      >
        {mayDecide ? 'Read the report and decide' : 'Read the report'}
      </Link>
    </>
  )
}

// The queue's table. On a narrow screen the side columns move below the description.
import type { RefObject } from 'react'
import { Link } from 'wouter'
import { SeverityBadge } from '@/components/ui/badge.tsx'
import { Age } from '@/components/ui/value.tsx'
import { masked } from './customer.ts'
import type { QueueEntry, View } from './queue.ts'
import { whatHappened } from './signals.ts'
import { ReportVerdict, StateBadge } from './state.tsx'

interface Props {
  rows: (QueueEntry & { isGone?: boolean })[]
  view: View
  body: RefObject<HTMLTableSectionElement | null>
}

const WIDE = 'hidden px-3 py-1.5 md:table-cell'
const WIDER = 'hidden px-3 py-1.5 xl:table-cell'

export function QueueTable({ rows, view, body }: Props) {
  return (
    <table className="w-full table-fixed text-left text-sm">
      <thead className="text-muted text-xs">
        <tr className="border-line border-b">
          <th className="w-28 px-3 py-2 font-normal">Severity</th>
          <th className={`${WIDE} w-16 text-right font-normal`}>Score</th>
          <th className={`${WIDE} w-24 font-normal`}>Customer</th>
          <th className="px-3 py-2 font-normal">What happened</th>
          <th className={`${WIDE} w-20 text-right font-normal`}>{view === 'waiting' ? 'Waiting' : 'Age'}</th>
          <th className={`${WIDE} w-44 font-normal`}>State</th>
          {view !== 'alerts' && (
            <th className={`${WIDER} w-32 font-normal`}>{view === 'decided' ? 'Decided by' : 'Assignee'}</th>
          )}
          {view !== 'alerts' && <th className={`${WIDER} w-52 font-normal`}>Report</th>}
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <QueueRow key={row.id} row={row} view={view} />
        ))}
      </tbody>
    </table>
  )
}

function QueueRow({ row, view }: { row: QueueEntry & { isGone?: boolean }; view: View }) {
  const who = row.decidedBy ?? row.assignedTo
  return (
    <tr
      className={`relative border-line border-b align-top last:border-b-0 md:align-middle focus-within:bg-sunken hover:bg-sunken ${row.isGone ? 'opacity-55' : ''}`}
    >
      <td className="px-3 py-1.5">
        <SeverityBadge severity={row.severity} />
        <span className="mt-1 block text-muted md:hidden">{row.score} of 100</span>
      </td>
      <td className={`${WIDE} text-right font-medium`}>{row.score}</td>
      <td className={WIDE}>
        <Customer userId={row.userId} />
      </td>
      <td className="px-3 py-1.5">
        <Link
          href={row.href}
          data-row={row.id}
          className="line-clamp-2 outline-offset-1 [overflow-wrap:anywhere] [unicode-bidi:isolate] after:absolute after:inset-0 md:line-clamp-1"
        >
          {whatHappened({ signals: row.signals })}
        </Link>
        <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted md:hidden">
          <Customer userId={row.userId} />
          <Age at={row.at} />
          <StateBadge state={row.state} {...(row.decidedBy && { approvedBy: 'person' })} />
        </span>
        {view === 'waiting' && row.report && row.report.report_type !== 'full' && (
          <span className="text-muted text-xs">{row.report.report_type} report</span>
        )}
        {row.isGone && <span className="text-muted text-xs">No longer in this list</span>}
      </td>
      <td className={`${WIDE} text-right`}>
        <Age at={row.at} />
      </td>
      <td className={WIDE}>
        <StateBadge state={row.state} {...(row.decidedBy && { approvedBy: 'person' })} />
      </td>
      {view !== 'alerts' && (
        <td className={`${WIDER} foreign-line`} title={who ?? undefined}>
          {who ?? <span className="text-muted">Unassigned</span>}
        </td>
      )}
      {view !== 'alerts' && (
        <td className={WIDER}>
          <Report row={row} />
        </td>
      )}
    </tr>
  )
}

function Customer({ userId }: { userId: string }) {
  return <span className="font-mono text-xs [unicode-bidi:isolate]">{masked(userId)}</span>
}

function Report({ row }: { row: QueueEntry }) {
  if (row.report) return <ReportVerdict passed={row.report.passed} score={row.report.validation_score} />
  return <span className="text-muted">{row.reportId === null ? 'Not written yet' : 'Written'}</span>
}

// Everything about one answer: the verdict, the words it rests on, who judged, and the proof that this is what was recorded.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Problem } from '@/api/problem.ts'
import { Simulated, StatusBadge } from '@/components/ui/badge.tsx'
import { Drawer } from '@/components/ui/dialog.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { Facts } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, number } from '@/components/ui/value.tsx'
import { type AuditLog, isMention } from '../log.ts'
import { Auditor } from './auditor.tsx'
import { ModelCalls } from './calls.tsx'
import { FindingList } from './findings.tsx'
import { type Found, Legend, Marked } from './marked.tsx'
import { MentionList } from './mentions.tsx'
import { isAudited, logQuery, type OpenLog } from './one.ts'
import { LedgerProof } from './proof.tsx'

export default function DetailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const log = useQuery(logQuery(id))
  return (
    <Drawer open onClose={onClose} title={log.data === undefined ? 'Audit' : <Verdict log={log.data} />}>
      {log.isPending && <Loading rows={8} label="Loading the audit" />}
      {log.isError && <NotThere problem={log.error} retry={() => void log.refetch()} />}
      {log.data !== undefined && (isAudited(log.data) ? <Audited log={log.data} /> : <Unaudited log={log.data} />)}
    </Drawer>
  )
}

function Verdict({ log }: { log: AuditLog | OpenLog }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={log.status} />
      {isAudited(log) && <span>{log.audit.risk_score} of 10</span>}
      <time dateTime={log.created_at} className="font-normal text-muted text-sm">
        {fullTime(log.created_at)}
      </time>
    </span>
  )
}

function Audited({ log }: { log: AuditLog }) {
  const { audit } = log
  const found = useMemo(() => foundIn(log), [log])
  return (
    <>
      <Part>
        <p className="foreign">{audit.details ?? 'No details were recorded.'}</p>
        {audit.withheld !== undefined && (
          <p className="mt-2 flex items-start gap-2 text-sm text-warning">
            <Icon name="warning" className="mt-0.5" />
            Nobody got the whole answer: {audit.withheld}
          </p>
        )}
      </Part>
      <Part title="Query">
        <Marked text={log.query} found={found.query} />
        {found.inQuery.length > 0 && <QueryRisk log={log} />}
      </Part>
      <Part title="Answer" aside={log.worker?.provider === 'simulated' && <Simulated />}>
        <Marked text={log.response} found={found.answer} />
        <Legend found={[...found.answers, ...found.inQuery]} />
      </Part>
      <Part title={`Findings (${found.answers.length})`}>
        <FindingList found={found.answers} />
      </Part>
      {found.inQuery.length > 0 && (
        <Part title={`Personal data in the query (${found.inQuery.length})`}>
          <FindingList found={found.inQuery} />
        </Part>
      )}
      {found.mentions.length > 0 && (
        <Part title={`Mentions (${found.mentions.length})`}>
          <MentionList query={log.query} answer={log.response} found={found.mentions} />
        </Part>
      )}
      <Part title="Auditor">
        <Auditor audit={audit} />
      </Part>
      <Part title="Worker and cost">
        <WorkerFacts log={log} />
        <ModelCalls logId={log.id} />
      </Part>
      <Part title="Ledger">
        <LedgerProof log={log} />
      </Part>
    </>
  )
}

interface Sorted {
  /** What the answer's verdict rests on; an injection in the query is part of it. */
  answers: Found[]
  /** Personal data in the query, which is scored apart. */
  inQuery: Found[]
  mentions: Found[]
  /** What is marked in each text. */
  query: Found[]
  answer: Found[]
}

function foundIn({ audit }: AuditLog): Sorted {
  const all = (audit.findings ?? []).map((finding, at) => ({ id: String(at), finding }))
  const asked = (audit.query_findings ?? []).map((finding, at) => ({ id: `query-${at}`, finding }))
  const isOnlyMentioned = ({ finding }: Found) => isMention(finding, audit.pii_detected)
  const isOnlyAskedAbout = ({ finding }: Found) => isMention(finding, audit.query_pii_detected === true)
  const answers = all.filter((found) => !isOnlyMentioned(found))
  const inQuery = asked.filter((found) => !isOnlyAskedAbout(found))
  return {
    answers,
    inQuery,
    mentions: [...all.filter(isOnlyMentioned), ...asked.filter(isOnlyAskedAbout)],
    query: [...answers.filter(({ finding }) => finding.in === 'query'), ...inQuery],
    answer: answers.filter(({ finding }) => finding.in !== 'query'),
  }
}

function QueryRisk({ log: { audit } }: { log: AuditLog }) {
  return (
    <p className="text-sm">
      The query holds personal data: risk {audit.query_risk_score ?? 0} of 10 by itself.{' '}
      <span className="text-muted">It does not count towards the answer’s risk.</span>
    </p>
  )
}

function WorkerFacts({ log: { worker, created_at, audit } }: { log: AuditLog }) {
  const isAsked = worker?.provider !== 'none'
  const times: [string, string][] = [
    ['Audited', fullTime(audit.timestamp)],
    ['Recorded', fullTime(created_at)],
  ]
  if (!isAsked) return <Facts rows={[['Worker', 'none: the text was sent in to be checked'], ...times]} />
  return (
    <Facts
      rows={[
        ['Worker', worker == null ? 'not known' : `${worker.provider}/${worker.model}`],
        ['Tokens', worker?.tokens_used == null ? 'not known' : number(worker.tokens_used)],
        ['Answered in', worker == null ? 'not known' : `${number(worker.latency_ms)} ms`],
        ...times,
      ]}
    />
  )
}

const ENDS: Record<string, string> = {
  Pending: 'The answer is there or on its way; its audit is still to come. This page shows it as soon as it is.',
  Failed: 'The worker gave no answer, so there was nothing to audit.',
  Refused: 'The request was refused before an answer came to be.',
  Cancelled: 'Whoever asked went away before the answer was complete.',
  Interrupted: 'The server stopped before the answer was complete.',
}

function Unaudited({ log }: { log: OpenLog }) {
  return (
    <>
      <Part>
        <p>{ENDS[log.status] ?? 'This answer has no audit.'}</p>
        {log.detail != null && <p className="foreign mt-2 text-muted text-sm">{log.detail}</p>}
      </Part>
      <Part title="Query">{log.query == null ? <NotRecorded /> : <Marked text={log.query} found={[]} />}</Part>
      <Part title="Answer">{log.response == null ? <NotRecorded /> : <Marked text={log.response} found={[]} />}</Part>
      <Part title="Worker and cost">
        <ModelCalls logId={log.id} />
      </Part>
    </>
  )
}

function NotRecorded() {
  return <p className="text-muted text-sm">None was recorded.</p>
}

function NotThere({ problem, retry }: { problem: Error; retry: () => void }) {
  const status = problem instanceof Problem ? problem.status : null
  if (status === 410) {
    return (
      <Empty title="The content of this audit has been erased">
        That it existed, and when, is still in the signed log. The words are gone for good.
      </Empty>
    )
  }
  if (status === 404 || status === 400) {
    return <Empty title="There is no such audit">The address may be mistyped, or be that of another system.</Empty>
  }
  return <Failed what="This audit" problem={problem} retry={retry} />
}

function Part({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section
      aria-label={title ?? 'Verdict'}
      className="flex flex-col gap-2 border-line border-b px-4 py-3 last:border-b-0"
    >
      {title !== undefined && (
        <h3 className="flex items-center justify-between gap-2 text-muted text-sm">
          {title}
          {aside}
        </h3>
      )}
      {children}
    </section>
  )
}

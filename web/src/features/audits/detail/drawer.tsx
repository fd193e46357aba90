// Everything about one answer: its verdict, its text with the findings marked, who audited it, and the proof of its record.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { Problem } from '@/api/problem.ts'
import { Simulated, StatusBadge } from '@/components/ui/badge.tsx'
import { Drawer } from '@/components/ui/dialog.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { DefinitionList } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, number } from '@/components/ui/value.tsx'
import { type AuditLog, isMention } from '../log.ts'
import { Auditor } from './auditor.tsx'
import { ModelCalls } from './calls.tsx'
import { FindingList } from './findings.tsx'
import { Legend, Marked, type MarkedFinding } from './marked.tsx'
import { MentionList } from './mentions.tsx'
import { isAudited, logQuery, type OpenLog } from './one.ts'
import { LedgerProof } from './proof.tsx'

export default function DetailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const log = useQuery(logQuery(id))
  return (
    <Drawer open onClose={onClose} title={log.data === undefined ? 'Audit' : <Verdict log={log.data} />}>
      {log.isPending && <Loading rows={8} label="Loading the audit" />}
      {log.isError && <Missing problem={log.error} retry={() => void log.refetch()} />}
      {log.data !== undefined && (isAudited(log.data) ? <Audited log={log.data} /> : <WithoutAudit log={log.data} />)}
    </Drawer>
  )
}

function Verdict({ log }: { log: AuditLog | OpenLog }) {
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <StatusBadge status={log.status} />
      {isAudited(log) && <span>Risk {log.audit.risk_score} of 10</span>}
      <time dateTime={log.created_at} className="font-normal text-muted text-sm">
        {fullTime(log.created_at)}
      </time>
    </span>
  )
}

function Audited({ log }: { log: AuditLog }) {
  const { audit } = log
  const found = useMemo(() => sortFindings(log), [log])
  return (
    <>
      <DrawerSection>
        <p className="foreign">{audit.details ?? 'No details were recorded.'}</p>
        {audit.withheld != null && (
          <p className="mt-2 flex items-start gap-2 text-sm text-warning">
            <Icon name="warning" className="mt-0.5" />
            {WITHHELD[audit.withheld] ?? 'The answer was not delivered in full.'}
          </p>
        )}
      </DrawerSection>
      <DrawerSection title="Query">
        <Marked text={log.query} found={found.marksInQuery} />
        {found.queryPii.length > 0 && <QueryRisk log={log} />}
      </DrawerSection>
      <DrawerSection title="Answer" aside={log.worker?.provider === 'simulated' && <Simulated />}>
        <Marked text={log.response} found={found.marksInAnswer} />
        <Legend found={[...found.verdict, ...found.queryPii]} />
      </DrawerSection>
      <DrawerSection title={`Findings (${found.verdict.length})`}>
        <FindingList found={found.verdict} />
      </DrawerSection>
      {found.queryPii.length > 0 && (
        <DrawerSection title={`Personal data in the query (${found.queryPii.length})`}>
          <FindingList found={found.queryPii} />
        </DrawerSection>
      )}
      {found.mentions.length > 0 && (
        <DrawerSection title={`Mentions (${found.mentions.length})`}>
          <MentionList query={log.query} answer={log.response} found={found.mentions} />
        </DrawerSection>
      )}
      <DrawerSection title="Auditor">
        <Auditor audit={audit} />
      </DrawerSection>
      <DrawerSection title="Model and cost">
        <ModelFacts log={log} />
        <ModelCalls logId={log.id} />
      </DrawerSection>
      <DrawerSection title="Ledger">
        <LedgerProof log={log} />
      </DrawerSection>
    </>
  )
}

interface SortedFindings {
  /** The findings that led to the answer's verdict, including an injection in the query. */
  verdict: MarkedFinding[]
  /** Personal data in the query, which has its own score. */
  queryPii: MarkedFinding[]
  mentions: MarkedFinding[]
  marksInQuery: MarkedFinding[]
  marksInAnswer: MarkedFinding[]
}

function sortFindings({ audit }: AuditLog): SortedFindings {
  const all = (audit.findings ?? []).map((finding, at) => ({ id: String(at), finding }))
  const inQuery = (audit.query_findings ?? []).map((finding, at) => ({ id: `query-${at}`, finding }))
  const isOnlyMentioned = ({ finding }: MarkedFinding) => isMention(finding, audit.pii_detected)
  const isMentionedInQuery = ({ finding }: MarkedFinding) => isMention(finding, audit.query_pii_detected === true)
  const verdict = all.filter((found) => !isOnlyMentioned(found))
  const queryPii = inQuery.filter((found) => !isMentionedInQuery(found))
  return {
    verdict,
    queryPii,
    mentions: [...all.filter(isOnlyMentioned), ...inQuery.filter(isMentionedInQuery)],
    marksInQuery: [...verdict.filter(({ finding }) => finding.in === 'query'), ...queryPii],
    marksInAnswer: verdict.filter(({ finding }) => finding.in !== 'query'),
  }
}

function QueryRisk({ log: { audit } }: { log: AuditLog }) {
  return (
    <p className="text-sm">
      The query contains personal data: risk {audit.query_risk_score ?? 0} of 10.{' '}
      <span className="text-muted">It does not count towards the answer’s risk.</span>
    </p>
  )
}

function ModelFacts({ log: { worker, created_at, audit } }: { log: AuditLog }) {
  const isFromModel = worker?.provider !== 'none'
  const times: [string, string][] = [
    ['Audited', fullTime(audit.timestamp)],
    ['Recorded', fullTime(created_at)],
  ]
  if (!isFromModel) return <DefinitionList rows={[['Model', 'None: the text was submitted for auditing'], ...times]} />
  return (
    <DefinitionList
      rows={[
        ['Model', worker == null ? 'Unknown' : `${worker.provider}/${worker.model}`],
        ['Tokens', worker?.tokens_used == null ? 'Unknown' : number(worker.tokens_used)],
        ['Answered in', worker == null ? 'Unknown' : `${number(worker.latency_ms)} ms`],
        ...times,
      ]}
    />
  )
}

const WITHHELD: Record<string, string> = {
  flagged: 'The answer was not delivered in full, because its audit flagged it.',
  unaudited: 'The answer was not delivered in full, because it could not be audited.',
}

const WHY_NO_AUDIT: Record<string, string> = {
  Pending: 'The audit is not finished yet. It appears here as soon as it is.',
  Failed: 'The model gave no answer, so there was nothing to audit.',
  Refused: 'The answer was not delivered in full, because a policy refused it.',
  Cancelled: 'The caller disconnected before the answer was complete.',
  Interrupted: 'The server stopped before the answer was complete.',
}

function WithoutAudit({ log }: { log: OpenLog }) {
  return (
    <>
      <DrawerSection>
        <p>{WHY_NO_AUDIT[log.status] ?? 'This answer has no audit.'}</p>
        {log.detail != null && <p className="foreign mt-2 text-muted text-sm">{log.detail}</p>}
      </DrawerSection>
      <DrawerSection title="Query">
        {log.query == null ? <NotRecorded /> : <Marked text={log.query} found={[]} />}
      </DrawerSection>
      <DrawerSection title="Answer">
        {log.response == null ? <NotRecorded /> : <Marked text={log.response} found={[]} />}
      </DrawerSection>
      <DrawerSection title="Model and cost">
        <ModelCalls logId={log.id} />
      </DrawerSection>
    </>
  )
}

function NotRecorded() {
  return <p className="text-muted text-sm">Not recorded.</p>
}

function Missing({ problem, retry }: { problem: Error; retry: () => void }) {
  const status = problem instanceof Problem ? problem.status : null
  if (status === 410) {
    return (
      <Empty title="The content of this audit has been erased">
        The signed log still records that it existed, and when. The text itself is permanently deleted.
      </Empty>
    )
  }
  if (status === 404 || status === 400) {
    return <Empty title="Audit not found">Check the address: it may be mistyped or belong to another server.</Empty>
  }
  return <Failed what="This audit" problem={problem} retry={retry} />
}

function DrawerSection({ title, aside, children }: { title?: string; aside?: ReactNode; children: ReactNode }) {
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

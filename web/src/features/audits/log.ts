// Audited answers on the live page: their types, their order, and which of their findings count.
import type { Schemas } from '@/api/client.ts'

export type Status = Schemas['RiskStatus']
export type Kind = Schemas['Kind']
export type Finding = Schemas['AuditFinding']
export type Audit = Schemas['Audit']
export type Judge = Schemas['Judge']

/** A row of the list. Rows with the same time are ordered by `seq`, their position in the event log. */
export type AuditLog = Schemas['Log'] & { seq: number }

/** A finding counts towards the verdict from this score on. */
export const COUNTED_FROM = 0.5

export const KINDS: Record<Kind, { name: string; short: string }> = {
  pii: { name: 'Personal data', short: 'PII' },
  toxicity: { name: 'Toxicity', short: 'TOX' },
  injection: { name: 'Injection', short: 'INJ' },
  grounding: { name: 'Not grounded', short: 'UNG' },
}

/** Asserts that a log has a position. Only texts checked without being stored lack one, and no list contains them. */
export function withPosition(log: Schemas['Log']): AuditLog {
  if (log.seq == null) throw new Error('the log has no position')
  return { ...log, seq: log.seq }
}

/** The row in a live message, or `null` if the message carries none. */
export function liveLog(data: unknown): AuditLog | null {
  if (typeof data !== 'object' || data === null) return null
  const { id, created_at, seq, audit } = data as Partial<AuditLog>
  const isLog = typeof id === 'string' && typeof created_at === 'string' && typeof seq === 'number'
  return isLog && typeof audit?.risk_score === 'number' ? (data as AuditLog) : null
}

/** Newest first: negative if `a` is listed above `b`. Times have a fixed width, so they compare as text. */
export function compare(a: AuditLog, b: AuditLog): number {
  if (a.created_at !== b.created_at) return a.created_at > b.created_at ? -1 : 1
  return b.seq - a.seq
}

/** Types that identify nobody by themselves. */
const MENTIONS = new Set([
  'PERSON',
  'LOCATION',
  'ADDRESS',
  'ORGANIZATION',
  'ZIP_CODE',
  'DATE_TIME',
  'AGE',
  'TITLE',
  'NRP',
  'URL',
])

/** Whether a finding identifies nobody. Older audits don't mark mentions; there the finding's type decides. */
export function isMention({ kind, type, mention }: Finding, isPiiDetected: boolean): boolean {
  return mention === true || (!isPiiDetected && kind === 'pii' && MENTIONS.has(type))
}

/** The number of findings of each kind that count towards the verdict, in the order of `KINDS`. */
export function findingCounts({ audit }: AuditLog): [kind: Kind, count: number][] {
  const counted = audit.findings.filter(
    (finding) => finding.score >= COUNTED_FROM && !isMention(finding, audit.pii_detected),
  )
  return (Object.keys(KINDS) as Kind[])
    .map((kind): [Kind, number] => [kind, counted.filter((finding) => finding.kind === kind).length])
    .filter(([, count]) => count > 0)
}

// An audited answer as this page reads it: the server's row with the parts of its audit that are shown.
import type { Schemas } from '@/api/client.ts'

export type Status = Schemas['RiskStatus']
export type Kind = Schemas['Kind']
export type Finding = Schemas['AuditFinding']
export type Audit = Schemas['Audit']
export type Judge = Schemas['Judge']

/** A row: its place in the event log is known, and orders rows of the same instant. */
export type AuditLog = Schemas['Log'] & { seq: number }

/** A finding of this score or more decides something. */
export const DECIDED = 0.5

export const KINDS: Record<Kind, { name: string; short: string }> = {
  pii: { name: 'Personal data', short: 'PII' },
  toxicity: { name: 'Toxicity', short: 'TOX' },
  injection: { name: 'Injection', short: 'INJ' },
  grounding: { name: 'Not grounded', short: 'UNG' },
}

/** Only a text that was checked without being kept has no place, and nothing lists one. */
export function placed(log: Schemas['Log']): AuditLog {
  if (log.seq == null) throw new Error('the log has no place')
  return { ...log, seq: log.seq }
}

/** The row in a live message, or `null` where it is none. */
export function liveLog(data: unknown): AuditLog | null {
  if (typeof data !== 'object' || data === null) return null
  const { id, created_at, seq, audit } = data as Partial<AuditLog>
  const isLog = typeof id === 'string' && typeof created_at === 'string' && typeof seq === 'number'
  return isLog && typeof audit?.risk_score === 'number' ? (data as AuditLog) : null
}

/** Newest first: negative when `a` stands above `b`. Times are written with a fixed width, so text orders them. */
export function compare(a: AuditLog, b: AuditLog): number {
  if (a.created_at !== b.created_at) return a.created_at > b.created_at ? -1 : 1
  return b.seq - a.seq
}

/** What is found by the names inspector and identifies nobody by itself. */
export const MENTIONS: Record<string, string> = {
  PERSON: 'Name',
  LOCATION: 'Place',
  ADDRESS: 'Address',
  ORGANIZATION: 'Organisation',
  ZIP_CODE: 'Postal code',
  DATE_TIME: 'Date or time',
  AGE: 'Age',
  TITLE: 'Title',
  NRP: 'Nationality, religion or group',
  URL: 'Web address',
}

/** Whether a finding identifies nobody. Audits from before mentions were told apart are read the way they would be today. */
export function isMention({ kind, type, mention }: Finding, isDetected: boolean): boolean {
  return mention === true || (!isDetected && kind === 'pii' && type in MENTIONS)
}

/** How many findings of each kind decided something, in the order of the kinds. */
export function findingCounts({ audit }: AuditLog): [kind: Kind, count: number][] {
  const decided = audit.findings.filter(
    (finding) => finding.score >= DECIDED && !isMention(finding, audit.pii_detected),
  )
  return (Object.keys(KINDS) as Kind[])
    .map((kind): [Kind, number] => [kind, decided.filter((finding) => finding.kind === kind).length])
    .filter(([, count]) => count > 0)
}

// An audited answer as this page reads it: the server's row with the parts of its audit that are shown.
import type { Schemas } from '@/api/client.ts'

export type Status = Schemas['RiskStatus']
export type Kind = 'pii' | 'toxicity' | 'injection' | 'grounding'

export interface Finding {
  kind: Kind
  type: string
  severity: string
  score: number
  detector: string
  explanation: string
  /** Code points; `null` where a finding concerns no words in particular. */
  start: number | null
  end: number | null
  /** Of the query; else of the response. */
  in?: string
  masked?: boolean
}

export interface Judge {
  provider: string
  model: string
  temperature?: number
  max_tokens?: number
  template?: string
  template_sha256?: string
  raw_reply?: string
  repaired?: boolean
  attempts?: number
  error?: string
}

export interface Audit {
  risk_score: number
  details?: string
  confidence?: number
  model?: string
  timestamp?: string
  findings?: Finding[]
  auditor?: 'model' | 'builtin' | 'failed'
  inspectors?: string
  judge?: Judge
  withheld?: string
}

export interface Worker {
  provider?: string
  model?: string
  tokens_used?: number
  latency_ms?: number
}

export interface AuditLog extends Omit<Schemas['Log'], 'audit' | 'worker' | 'seq'> {
  audit: Audit
  worker?: Worker | null
  /** Its place in the event log. Orders rows of the same instant. */
  seq: number
}

/** A finding of this score or more decides something. */
export const DECIDED = 0.5

export const KINDS: Record<Kind, { name: string; short: string }> = {
  pii: { name: 'Personal data', short: 'PII' },
  toxicity: { name: 'Toxicity', short: 'TOX' },
  injection: { name: 'Injection', short: 'INJ' },
  grounding: { name: 'Not grounded', short: 'UNG' },
}

export function asLog(row: Schemas['Log']): AuditLog {
  return row as unknown as AuditLog
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

/** How many findings of each kind decided something, in the order of the kinds. */
export function findingCounts({ audit }: AuditLog): [kind: Kind, count: number][] {
  const decided = (audit.findings ?? []).filter(({ score }) => score >= DECIDED)
  return (Object.keys(KINDS) as Kind[])
    .map((kind): [Kind, number] => [kind, decided.filter((finding) => finding.kind === kind).length])
    .filter(([, count]) => count > 0)
}

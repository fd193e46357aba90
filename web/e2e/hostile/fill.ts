// Sends every hostile string through every field that accepts text, and counts what the server accepted. Text that it
// refuses never reaches the screen.
import { alert, type Case, purchases, waitForReview } from '../stage/cases.ts'
import { type Program, RequestError } from '../stage/program.ts'
import type { Worker } from '../stage/worker.ts'
import { HOSTILE } from './strings.ts'

const user = (n: number) => `user-hostile-${n}`

export interface Logged {
  id: string
  text: string
}

/** Uses each string as the question and as the answer. */
export async function fillLogs(program: Program, worker: Worker): Promise<Logged[]> {
  const logs: Logged[] = []
  for (const text of HOSTILE) {
    worker.says = () => text
    const answer = await unlessRefused(program.post<{ log_id: string }>('/process-agent', { user_query: text }))
    if (answer !== null) logs.push({ id: answer.log_id, text })
  }
  return logs
}

/** Creates a customer for each string, with one transaction per field. */
export async function fillTransactions(program: Program): Promise<number> {
  const rows = HOSTILE.flatMap((text, n) => {
    const [template] = purchases(user(n))
    return FIELDS.map((field, m) => ({ ...template, transaction_id: `hostile-${n}-${m}`, ...field(text) }))
  })
  const { accepted } = await program.post<{ accepted: number }>('/api/transactions', rows)
  return accepted
}

const FIELDS: ((text: string) => Record<string, unknown>)[] = [
  (merchant) => ({ merchant }),
  (category) => ({ category }),
  (city) => ({ location: { lat: 38.7, lon: -9.1, country: 'PT', city } }),
  (memo) => ({ metadata: { memo, [memo]: memo } }),
  (device_fingerprint) => ({ device_fingerprint }),
  (transaction_id) => ({ transaction_id }),
  (user_id) => ({ user_id }),
]

/** One alert for each string, which is used in names, values and explanations of signals. */
export async function fillAlerts(program: Program): Promise<string[]> {
  const ids: string[] = []
  for (const [n, text] of HOSTILE.entries()) {
    const { metadata, ...rest } = alert(`hostile-${n}`, user(n), `hostile-${n}-0`)
    const signal = { outcome: 'fired', value: text, threshold: text, unit: text, explanation: text, contribution: 9 }
    const signals = { ...metadata.signals, amount_deviation: signal, [text]: text }
    const sent = { ...rest, metadata: { ...metadata, signals, [text]: [text] } }
    if (await unlessRefused(program.post('/api/alerts', sent))) ids.push(sent.alert_id)
    // Low alerts open no investigation, but the queue shows their alert and customer ids.
    const low = { severity: 'low', score: 5 }
    await unlessRefused(program.post('/api/alerts', { ...alert(text, user(n)), ...low }))
    await unlessRefused(program.post('/api/alerts', { ...alert(`hostile-user-${n}`, text), ...low }))
  }
  return ids
}

/** Assigns each investigation to a hostile name, and closes it with a hostile comment. */
export async function assignAndClose(program: Program, alerts: string[]): Promise<Case[]> {
  const cases: Case[] = []
  for (const id of alerts) {
    const text = HOSTILE[Number(id.split('-')[1])]
    const found = await waitForReview(program, id)
    await unlessRefused(program.post(`/api/investigations/${found.investigation}/assign`, { to: text }))
    const decision = { decision: 'dispose', comment: text, disposition: 'other' }
    await unlessRefused(program.post(`/api/reports/${found.report}/reviews`, decision))
    cases.push(found)
  }
  return cases
}

export async function fillKeys(program: Program): Promise<number> {
  let count = 0
  for (const name of HOSTILE) {
    if (await unlessRefused(program.post('/api/keys', { role: 'viewer', name }))) count += 1
  }
  return count
}

/** The response, or null if the server refused the text. It may refuse, but it must not fail. */
async function unlessRefused<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return asking.catch((failure: unknown) => {
    if (failure instanceof RequestError && failure.status < 500) return null
    throw failure
  })
}

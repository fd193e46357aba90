// Creates customers, alerts and investigations through the API.
import { vi } from 'vitest'
import type { Program } from './program.ts'

export interface Case {
  alert: string
  investigation: string
  report: string
}

interface Investigation {
  investigation_id: string
  report_id: string | null
  status: string
}

const DAY_MS = 86_400_000
const WAITING = { timeout: 30_000, interval: 50 }

export interface NewTransaction {
  transaction_id: string
  user_id: string
  amount: { amount: string; currency: string }
  occurred_at: string
  [field: string]: unknown
}

/** Three weeks of small purchases in Lisbon, and a large one today. */
export function purchases(user: string): NewTransaction[] {
  return Array.from({ length: 21 }, (_, day) => ({
    transaction_id: `${user}-tx-${day}`,
    user_id: user,
    amount: { amount: day === 20 ? '2480.00' : `${30 + day}.50`, currency: 'EUR' },
    occurred_at: new Date(Date.now() - (20 - day) * DAY_MS - 60_000).toISOString(),
    merchant: 'Mercado da Ribeira',
    category: 'groceries',
    channel: 'card_present',
    location: { lat: 38.7071, lon: -9.1459, country: 'PT', city: 'Lisbon' },
  }))
}

export function alert(id: string, user: string, transaction: string | null = null) {
  return {
    alert_id: id,
    user_id: user,
    severity: 'critical',
    score: 91,
    metadata: {
      ...(transaction !== null && { transaction_id: transaction }),
      signals: {
        velocity_anomaly: {
          outcome: 'fired',
          value: 14,
          threshold: 5,
          unit: 'transactions in 1 hour',
          contribution: 91,
          explanation: 'The customer made 14 transactions in one hour, against a limit of 5.',
        },
      },
    },
  }
}

/** Creates a critical case, which needs a review whatever the report check says. */
export async function caseInReview(program: Program, alertId: string, user = 'user-7731'): Promise<Case> {
  const posted = purchases(user)
  await program.post('/api/transactions', posted)
  await program.post('/api/alerts', alert(alertId, user, posted.at(-1)?.transaction_id))
  return waitForReview(program, alertId)
}

export async function waitForReview(program: Program, alertId: string): Promise<Case> {
  const { investigation_id } = await program.get<{ investigation_id: string }>(`/api/alerts/${alertId}`)
  const path = `/api/investigations/${investigation_id}`
  return vi.waitFor(async () => {
    const { status, report_id } = await program.get<Investigation>(path)
    if (status !== 'in_review' || report_id === null) throw new Error(`${path} is ${status}`)
    return { alert: alertId, investigation: investigation_id, report: report_id }
  }, WAITING)
}

interface Waiting {
  investigation: { alert_id: string; investigation_id: string }
  report: { id: string } | null
}

/** Creates a case and requests a second report with the given key. */
export async function caseWithRequestedReport(
  program: Program,
  key: string,
  alertId: string,
  user?: string,
): Promise<Case> {
  const { report: first } = await caseInReview(program, alertId, user)
  await program.post('/api/reports', { fraud_detection_id: alertId, report_type: 'compliance' }, key)
  return vi.waitFor(async () => {
    // The first report stays in review as well.
    const { items } = await program.get<{ items: Waiting[] }>('/api/reviews?status=open&limit=500')
    const second = items.find(({ investigation, report }) => investigation.alert_id === alertId && report?.id !== first)
    if (!second?.report) throw new Error('the report is not written yet')
    return { alert: alertId, investigation: second.investigation.investigation_id, report: second.report.id }
  }, WAITING)
}

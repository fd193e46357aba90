// The state of a report and the decisions that it allows. The server enforces the rules; checking them here as well spares
// users a refusal that is known beforehand.
import type { Schemas } from '@/api/client.ts'
import type { Session } from '@/api/session.ts'
import type { Tone } from '@/components/ui/badge.tsx'

export type Decision = Schemas['Decision']

export const STATES: Record<Schemas['State'], { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'neutral' },
  in_review: { word: 'Waiting for review', tone: 'warning' },
  approved: { word: 'Approved', tone: 'safe' },
  sent_back: { word: 'Sent back', tone: 'warning' },
  disposed: { word: 'Closed', tone: 'neutral' },
}

export const DECIDED: Record<Decision, string> = {
  approve: 'approved it',
  send_back: 'sent it back',
  dispose: 'closed the case',
}

type ReviewedReport = Pick<Schemas['Report'], 'status' | 'requesters'>
type Reviewer = Pick<Session, 'name' | 'key_id'>

/** Why the user can't make this decision now; `null` if there is no known reason. */
export function forbidden(decision: Decision, report: ReviewedReport, who: Reviewer): string | null {
  if (!report.status) return 'A newer version has replaced this report.'
  if (report.status === 'disposed') return 'The case is closed, and that is final.'
  const isWaiting = report.status === 'in_review'
  if (isWaiting && decision !== 'send_back' && isRequester(report.requesters, who)) {
    return 'Four-eyes review: you requested this report or posted its alert, so someone else must approve it or close the case.'
  }
  if (isWaiting || decision === 'dispose') return null
  return `Only a report that is waiting for review can be approved or sent back. This one is ${STATES[report.status].word.toLowerCase()}.`
}

/** Four-eyes review needs named people: without keys everyone is `local`. */
function isRequester(requesters: string[], { name, key_id }: Reviewer): boolean {
  if (name === null || name === 'local') return false
  return requesters.some((requester) => requester === name || requester === key_id)
}

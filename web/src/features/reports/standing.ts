// Where a report stands, and what may be decided about it from there. The server has the last word: this only spares
// people a refusal that is known beforehand.
import type { Schemas } from '@/api/client.ts'
import type { Session } from '@/api/session.ts'
import type { Tone } from '@/components/ui/badge.tsx'

export type Decision = Schemas['Decision']

export const STATES: Record<Schemas['State'], { word: string; tone: Tone }> = {
  open: { word: 'Open', tone: 'neutral' },
  in_review: { word: 'Waiting for review', tone: 'warning' },
  approved: { word: 'Approved', tone: 'safe' },
  sent_back: { word: 'Sent back', tone: 'warning' },
  disposed: { word: 'Disposed of', tone: 'neutral' },
}

export const DECIDED: Record<Decision, string> = {
  approve: 'approved it',
  send_back: 'sent it back',
  dispose: 'disposed of it',
}

type Under = Pick<Schemas['Report'], 'status' | 'requesters'>
type Who = Pick<Session, 'name' | 'key_id'>

/** Why somebody can't decide so now; `null` if nothing is known against it. */
export function forbidden(decision: Decision, report: Under, who: Who): string | null {
  if (!report.status) return 'A newer version has replaced this report.'
  if (report.status === 'disposed') return 'The investigation was disposed of, and that is final.'
  const isWaiting = report.status === 'in_review'
  if (isWaiting && decision !== 'send_back' && isRequester(report.requesters, who)) {
    return 'Four eyes: you requested this report or posted its alert, so somebody else must approve it or dispose of the case.'
  }
  if (isWaiting || decision === 'dispose') return null
  return `Approving and sending back need a report that waits for review; this one is ${STATES[report.status].word.toLowerCase()}.`
}

/** Four eyes bind named people: without keys everybody is `local`. */
function isRequester(requesters: string[], { name, key_id }: Who): boolean {
  if (name === null || name === 'local') return false
  return requesters.some((requester) => requester === name || requester === key_id)
}

// New rows that are held back while the list must not move. Their number is bounded; beyond it the list is loaded again
// when the reader wants them.
import { number } from '@/components/ui/value.tsx'
import type { AuditLog } from './log.ts'

export interface Waiting {
  logs: readonly AuditLog[]
  /** More rows came than are kept, so their number is unknown. */
  isTooMany: boolean
}

const WAITING_LOGS_MAX = 1_000
export const NOTHING_WAITS: Waiting = { logs: [], isTooMany: false }

export function waitingWith(waiting: Waiting, logs: readonly AuditLog[]): Waiting {
  if (waiting.isTooMany) return waiting
  const known = new Set(waiting.logs.map(({ id }) => id))
  const news = logs.filter(({ id }) => !known.has(id) && known.add(id))
  if (news.length === 0) return waiting
  if (known.size > WAITING_LOGS_MAX) return { logs: [], isTooMany: true }
  return { logs: [...news, ...waiting.logs], isTooMany: false }
}

/** The label of the button that shows them. */
export function waitingLabel({ logs, isTooMany }: Waiting): string {
  return isTooMany ? `${number(WAITING_LOGS_MAX)}+ new` : `${logs.length} new`
}

export function isAnyWaiting({ logs, isTooMany }: Waiting): boolean {
  return isTooMany || logs.length > 0
}

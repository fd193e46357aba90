// Rows that came while the reader must not be disturbed. Not more than a bounded number of them: past that they are read
// again when they are wanted.
import type { AuditLog } from './log.ts'

export interface Waiting {
  logs: readonly AuditLog[]
  /** More than are kept: how many is not known. */
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

/** What the button for them says. */
export function waitingLabel({ logs, isTooMany }: Waiting): string {
  return isTooMany ? 'Many new' : `${logs.length} new`
}

export function isAnyWaiting({ logs, isTooMany }: Waiting): boolean {
  return isTooMany || logs.length > 0
}

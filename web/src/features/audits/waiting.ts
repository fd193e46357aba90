// New rows that are held back while the list must not move. Their number is bounded: beyond it all are dropped, and the list
// is loaded again when the reader asks for them.
import { number } from '@/components/ui/value.tsx'
import type { AuditLog } from './log.ts'

export interface Waiting {
  logs: readonly AuditLog[]
  /** Too many rows arrived to keep them, so their number is unknown. */
  hasOverflowed: boolean
}

const WAITING_LOGS_MAX = 1_000
export const NOTHING_WAITS: Waiting = { logs: [], hasOverflowed: false }

export function waitingWith(waiting: Waiting, logs: readonly AuditLog[]): Waiting {
  if (waiting.hasOverflowed) return waiting
  const known = new Set(waiting.logs.map(({ id }) => id))
  const added = logs.filter(({ id }) => !known.has(id) && known.add(id))
  if (added.length === 0) return waiting
  if (known.size > WAITING_LOGS_MAX) return { logs: [], hasOverflowed: true }
  return { logs: [...added, ...waiting.logs], hasOverflowed: false }
}

/** The label of the button that shows the waiting rows. */
export function waitingLabel({ logs, hasOverflowed }: Waiting): string {
  return hasOverflowed ? `${number(WAITING_LOGS_MAX)}+ new` : `${logs.length} new`
}

export function isAnyWaiting({ logs, hasOverflowed }: Waiting): boolean {
  return hasOverflowed || logs.length > 0
}

// The most recent live rows. A response that was requested before they arrived may lack them, so they are added to it.
import type { AuditLog } from './log.ts'

const RECENT_LOGS_MAX = 10_000

export class Recent {
  #logs: AuditLog[] = []
  #dropped = 0

  /** Call before a request, and pass the result to `since` with the response. */
  mark(): number {
    return this.#dropped + this.#logs.length
  }

  since(mark: number): AuditLog[] {
    return this.#logs.slice(Math.max(0, mark - this.#dropped))
  }

  push(logs: readonly AuditLog[]) {
    this.#logs.push(...logs)
    if (this.#logs.length <= RECENT_LOGS_MAX) return
    // Half is dropped at once, so that most pushes move nothing.
    const dropped = this.#logs.length - RECENT_LOGS_MAX / 2
    this.#logs.splice(0, dropped)
    this.#dropped += dropped
  }
}

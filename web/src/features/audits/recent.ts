// What came live a moment ago. An answer that was on its way meanwhile may not hold it yet: it is added to such answers.
import type { AuditLog } from './log.ts'

const RECENT_LOGS_MAX = 10_000

export class Recent {
  #logs: AuditLog[] = []
  #dropped = 0

  /** To be taken before asking, and given to `since` with the answer. */
  mark(): number {
    return this.#dropped + this.#logs.length
  }

  since(mark: number): AuditLog[] {
    return this.#logs.slice(Math.max(0, mark - this.#dropped))
  }

  push(logs: readonly AuditLog[]) {
    this.#logs.push(...logs)
    if (this.#logs.length <= RECENT_LOGS_MAX) return
    // Half at once, so that most pushes move nothing.
    const dropped = this.#logs.length - RECENT_LOGS_MAX / 2
    this.#logs.splice(0, dropped)
    this.#dropped += dropped
  }
}

// The layout of a causal chain: every cause is left of its effects, and the effects of one cause are stacked.
import type { StoredEvent } from './queries.ts'

export interface PlacedEvent {
  event: StoredEvent
  /** The number of causes before it. */
  column: number
  row: number
  /** Its cause, if that is in the chain. */
  cause: PlacedEvent | null
}

export interface Layout {
  placed: PlacedEvent[]
  columns: number
  rows: number
}

export function layOut(events: StoredEvent[]): Layout {
  const { roots, effects } = linked(events)
  const placed: PlacedEvent[] = []
  let rows = 0
  // A loop instead of recursion, because a chain may be a thousand events long.
  const stack = roots.map((event): [StoredEvent, PlacedEvent | null] => [event, null]).reverse()
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [event, cause] = next
    // The first effect continues its cause's row; every other effect opens a new one.
    const isFirst = cause !== null && placed.at(-1) === cause
    const at: PlacedEvent = {
      event,
      cause,
      column: cause === null ? 0 : cause.column + 1,
      row: isFirst ? cause.row : rows++,
    }
    placed.push(at)
    const following = effects.get(event.event_id) ?? []
    stack.push(...following.map((effect): [StoredEvent, PlacedEvent] => [effect, at]).reverse())
  }
  const columns = placed.reduce((count, { column }) => Math.max(count, column + 1), 0)
  return { placed, columns, rows }
}

/** A cause counts only if it came earlier. Any other link is dropped, so the drawing can't contain cycles. */
function linked(events: StoredEvent[]) {
  const ordered = [...events].sort((one, other) => one.seq - other.seq)
  const known = new Set<string>()
  const roots: StoredEvent[] = []
  const effects = new Map<string, StoredEvent[]>()
  for (const event of ordered) {
    const cause = event.causation_id
    if (cause && known.has(cause)) effects.set(cause, [...(effects.get(cause) ?? []), event])
    else roots.push(event)
    known.add(event.event_id)
  }
  return { roots, effects }
}

// Where the events of a chain stand in its drawing: every cause left of its effects, effects of one cause below each other.
import type { StoredEvent } from './queries.ts'

export interface Placed {
  event: StoredEvent
  /** How many causes lie before it. */
  column: number
  row: number
  /** The place of its cause, when that is in the chain. */
  cause: Placed | null
}

export interface Layout {
  placed: Placed[]
  columns: number
  rows: number
}

export function layOut(events: StoredEvent[]): Layout {
  const { roots, effects } = linked(events)
  const placed: Placed[] = []
  let rows = 0
  // By hand instead of by recursion: a chain may be a thousand events long.
  const waiting = roots.map((event): [StoredEvent, Placed | null] => [event, null]).reverse()
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [event, cause] = next
    // The first effect goes on in the row of its cause; each other one opens a row.
    const isFirst = cause !== null && placed.at(-1) === cause
    const at: Placed = {
      event,
      cause,
      column: cause === null ? 0 : cause.column + 1,
      row: isFirst ? cause.row : rows++,
    }
    placed.push(at)
    const following = effects.get(event.event_id) ?? []
    waiting.push(...following.map((effect): [StoredEvent, Placed] => [effect, at]).reverse())
  }
  const columns = placed.reduce((most, { column }) => Math.max(most, column + 1), 0)
  return { placed, columns, rows }
}

/** A cause counts only if it came before: a log that says otherwise is drawn without that link, and never in circles. */
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

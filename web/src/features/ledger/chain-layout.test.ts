import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eventId } from '@/testing/log.ts'
import { layOut } from './chain-layout.ts'
import type { StoredEvent } from './queries.ts'

function event(seq: number, cause: number | null): StoredEvent {
  return {
    seq,
    event_id: eventId(seq),
    event_type: 'ANSWER_RECORDED',
    occurred_at: '2026-11-15T20:00:00Z',
    recorded_at: '2026-11-15T20:00:00Z',
    producer: 'answers',
    correlation_id: eventId(0),
    causation_id: cause === null ? null : eventId(cause),
    schema_version: 1,
  }
}

/** Trees of any shape in any order, including causes that are not in the chain. */
const trees = fc.array(fc.option(fc.nat(), { nil: null }), { minLength: 1, maxLength: 60 }).chain((causes) => {
  const events = causes.map((cause, seq) => event(seq, cause === null ? null : cause % (seq + 2)))
  return fc.shuffledSubarray(events, { minLength: 1 })
})

test('every cause is left of its effect, and no two events overlap', () => {
  fc.assert(
    fc.property(trees, (events) => {
      const { placed, columns, rows } = layOut(events)
      expect(placed.map(({ event }) => event.seq).sort((a, b) => a - b)).toEqual(
        events.map(({ seq }) => seq).sort((a, b) => a - b),
      )
      const columnOf = new Map(placed.map(({ event, column }) => [event.event_id, column]))
      const seq = new Map(events.map(({ event_id, seq }) => [event_id, seq]))
      for (const { event, column, cause } of placed) {
        const before = seq.get(event.causation_id ?? '')
        const isLinked = before !== undefined && before < event.seq
        expect(cause?.event.event_id ?? null).toBe(isLinked ? event.causation_id : null)
        if (isLinked) expect(column).toBe((columnOf.get(event.causation_id ?? '') ?? 0) + 1)
        else expect(column).toBe(0)
      }
      expect(new Set(placed.map(({ column, row }) => `${column} ${row}`)).size).toBe(placed.length)
      expect(placed.every(({ column, row }) => column < columns && row < rows)).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('effects are stacked, and a cause is never below its first effect', () => {
  const { placed } = layOut([event(0, null), event(1, 0), event(2, 1), event(3, 0), event(4, 2)])
  expect(placed.map(({ event, column, row }) => [event.seq, column, row])).toEqual([
    [0, 0, 0],
    [1, 1, 0],
    [2, 2, 0],
    [4, 3, 0],
    [3, 1, 1],
  ])
})

test('a chain of a thousand events, one after the other, is laid out', () => {
  const events = Array.from({ length: 1000 }, (_, seq) => event(seq, seq === 0 ? null : seq - 1))
  expect(layOut(events)).toMatchObject({ columns: 1000, rows: 1 })
})

test('events that name each other as cause are not drawn as a cycle', () => {
  expect(layOut([event(0, 1), event(1, 0)])).toMatchObject({ columns: 2, rows: 1 })
  expect(layOut([event(0, 0)])).toMatchObject({ columns: 1, rows: 1 })
})

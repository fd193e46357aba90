import fc from 'fast-check'
import { expect, test } from 'vitest'
import { keepStill } from './still-list.ts'

const row = (seq: number) => ({ id: `row-${seq}`, seq })
const rows = fc
  .uniqueArray(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 25 })
  .map((all) => all.sort((one, other) => other - one).map(row))

test('visible rows never move, whatever is added or removed', () => {
  fc.assert(
    fc.property(rows, rows, (held, fresh) => {
      const { shown } = keepStill(held, fresh)
      expect(shown.slice(0, held.length).map(({ id }) => id)).toEqual(held.map(({ id }) => id))
    }),
    { numRuns: 300 },
  )
})

test('every new row is shown or counted exactly once', () => {
  fc.assert(
    fc.property(rows, rows, (held, fresh) => {
      const { shown, waiting } = keepStill(held, fresh)
      const ids = shown.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(fresh.filter(({ id }) => ids.includes(id)).length + waiting).toBe(fresh.length)
    }),
    { numRuns: 300 },
  )
})

test('new rows wait, older rows are appended, and removed rows are marked', () => {
  const held = [row(5), row(4), row(3)]
  const fresh = [row(7), row(6), row(5), row(3), row(1)]
  expect(keepStill(held, fresh)).toEqual({
    shown: [row(5), { ...row(4), isGone: true }, row(3), row(1)],
    waiting: 2,
  })
})

test('a row that changed is shown as it is now', () => {
  const held = [{ ...row(5), state: 'open' }]
  expect(keepStill(held, [{ ...row(5), state: 'approved' }]).shown[0]?.state).toBe('approved')
})

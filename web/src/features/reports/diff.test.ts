import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Change, difference } from './diff.ts'

const prose = fc
  .array(fc.constantFrom('the', 'amount', 'was', '42', 'TRY', '😀', 'é', '\n', '  ', ' ', '<b>'), { maxLength: 40 })
  .map((words) => words.join(' '))
/** Few different words, so that beginnings and ends overlap. */
const repeating = fc.string({ unit: fc.constantFrom('a ', 'b '), maxLength: 5 })
const anyText = fc.oneof(prose, repeating, fc.string({ unit: 'binary', maxLength: 80 }))

function side(changes: Change[], gone: Change['kind']): string {
  return changes
    .filter(({ kind }) => kind !== gone)
    .map(({ text }) => text)
    .join('')
}

test('both texts can be rebuilt from the differences', () => {
  fc.assert(
    fc.property(anyText, anyText, (before, after) => {
      const changes = difference(before, after)
      expect(side(changes, 'added')).toBe(before)
      expect(side(changes, 'removed')).toBe(after)
    }),
    { numRuns: 500 },
  )
})

test('a text does not differ from itself, and no change is empty', () => {
  fc.assert(
    fc.property(anyText, anyText, (text, other) => {
      expect(difference(text, text).every(({ kind }) => kind === 'same')).toBe(true)
      expect(difference(text, other).every((change) => change.text !== '')).toBe(true)
    }),
    { numRuns: 200 },
  )
})

test('only the changed word is reported as changed', () => {
  expect(difference('The amount was 42 units.', 'The amount was 43 units.')).toEqual([
    { kind: 'same', text: 'The amount was ' },
    { kind: 'removed', text: '42 ' },
    { kind: 'added', text: '43 ' },
    { kind: 'same', text: 'units.' },
  ])
})

test('a rewritten phrase is reported as one replacement', () => {
  expect(difference('then the signal was raised at night', 'then velocity fired at night')).toEqual([
    { kind: 'same', text: 'then ' },
    { kind: 'removed', text: 'the signal was raised ' },
    { kind: 'added', text: 'velocity fired ' },
    { kind: 'same', text: 'at night' },
  ])
})

test('texts too large to compare are reported as replaced, quickly', () => {
  const long = (word: string) => Array.from({ length: 5_000 }, (_, at) => `${word}${at}`).join(' ')
  const changes = difference(`start ${long('a')}`, `start ${long('b')}`)
  expect(changes.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added'])
})

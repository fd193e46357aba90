import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, stretches } from './traced.ts'

// Also halves of surrogate pairs, which are no characters at all.
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  units.map((all) => String.fromCharCode(...all)),
)
const anyPlace = fc.record({
  start: fc.oneof(fc.integer({ min: -5, max: 70 }), fc.double()),
  end: fc.oneof(fc.integer({ min: -5, max: 70 }), fc.double()),
})

test('cutting a text loses nothing of it, whatever the places are', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyPlace, { maxLength: 12 }), (text, places) => {
      expect(
        cut(text, places)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('cutting a text into stretches loses nothing of it, and each says where it starts', () => {
  fc.assert(
    fc.property(anyText, fc.array(anyPlace, { maxLength: 12 }), (text, places) => {
      const found = stretches(text, places)
      expect(found.map(({ text }) => text).join('')).toBe(text)
      let at = 0
      for (const { text, start } of found) {
        expect(start).toBe(at)
        at += Array.from(text).length
      }
    }),
    { numRuns: 500 },
  )
})

test('a stretch between places has none, and an id in back quotes does not divide one', () => {
  const [first, second] = [
    { start: 0, end: 5 },
    { start: 6, end: 14 },
  ]
  expect(stretches('One.. By `x` on.', [first, second])).toEqual([
    { text: 'One..', start: 0, place: first },
    { text: ' ', start: 5, place: null },
    { text: 'By `x` o', start: 6, place: second },
    { text: 'n.', start: 14, place: null },
  ])
})

test('places that fit are found again at their code points, also behind astral characters', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '7', '😀', '𝟘', 'é', ' '), minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 9,
      }),
      (parts) => {
        let at = 0
        const places = parts.map((part) => {
          const start = at
          at += Array.from(part).length
          return { start, end: at, part }
        })
        const odd = places.filter((_, place) => place % 2 === 1)
        const found = cut(parts.join(''), odd).filter(({ place }) => place !== null)
        expect(found.map(({ text, place }) => [text, place?.part])).toEqual(odd.map(({ part }) => [part, part]))
      },
    ),
    { numRuns: 300 },
  )
})

test('a place over another, outside of the text or upside down is passed over', () => {
  const good = { start: 0, end: 4 }
  const pieces = cut('over and out', [good, { start: 2, end: 6 }, { start: 9, end: 99 }, { start: 8, end: 7 }])
  expect(pieces.map(({ text, place }) => [text, place])).toEqual([
    ['over', good],
    [' and out', null],
  ])
})

test('what stands between back quotes is code, and a quote without a partner is a letter', () => {
  const shown = (text: string) => cut(text, []).map(({ text, isCode, isQuote }) => [text, isCode, isQuote])
  expect(shown('by `***1509` on')).toEqual([
    ['by ', false, false],
    ['`', false, true],
    ['***1509', true, false],
    ['`', false, true],
    [' on', false, false],
  ])
  expect(shown('a ` b\n` c')).toEqual([['a ` b\n` c', false, false]])
})

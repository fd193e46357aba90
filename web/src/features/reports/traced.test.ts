import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bySpans, cut } from './traced.ts'

// Includes lone surrogates, which are not valid characters.
const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  units.map((all) => String.fromCharCode(...all)),
)
const anySpan = fc.record({
  start: fc.oneof(fc.integer({ min: -5, max: 70 }), fc.double()),
  end: fc.oneof(fc.integer({ min: -5, max: 70 }), fc.double()),
})

test('the pieces of a text are together the whole text, whatever the spans are', () => {
  fc.assert(
    fc.property(anyText, fc.array(anySpan, { maxLength: 12 }), (text, spans) => {
      expect(
        cut(text, spans)
          .map((piece) => piece.text)
          .join(''),
      ).toBe(text)
    }),
    { numRuns: 500 },
  )
})

test('the pieces between spans are together the whole text, and each knows its start', () => {
  fc.assert(
    fc.property(anyText, fc.array(anySpan, { maxLength: 12 }), (text, spans) => {
      const found = bySpans(text, spans)
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

test('text between spans has no span, and backticks do not split one', () => {
  const [first, second] = [
    { start: 0, end: 5 },
    { start: 6, end: 14 },
  ]
  expect(bySpans('One.. By `x` on.', [first, second])).toEqual([
    { text: 'One..', start: 0, span: first },
    { text: ' ', start: 5, span: null },
    { text: 'By `x` o', start: 6, span: second },
    { text: 'n.', start: 14, span: null },
  ])
})

test('spans count in code points, also after characters outside the BMP', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', '7', '😀', '𝟘', 'é', ' '), minLength: 1, maxLength: 5 }), {
        minLength: 1,
        maxLength: 9,
      }),
      (parts) => {
        let at = 0
        const spans = parts.map((part) => {
          const start = at
          at += Array.from(part).length
          return { start, end: at, part }
        })
        const odd = spans.filter((_, index) => index % 2 === 1)
        const found = cut(parts.join(''), odd).filter(({ span }) => span !== null)
        expect(found.map(({ text, span }) => [text, span?.part])).toEqual(odd.map(({ part }) => [part, part]))
      },
    ),
    { numRuns: 300 },
  )
})

test('spans that overlap, reach outside the text or end before they start are ignored', () => {
  const good = { start: 0, end: 4 }
  const pieces = cut('over and out', [good, { start: 2, end: 6 }, { start: 9, end: 99 }, { start: 8, end: 7 }])
  expect(pieces.map(({ text, span }) => [text, span])).toEqual([
    ['over', good],
    [' and out', null],
  ])
})

test('text between backticks is code, and a lone backtick is an ordinary character', () => {
  const shown = (text: string) => cut(text, []).map(({ text, isCode, isBacktick }) => [text, isCode, isBacktick])
  expect(shown('by `***1509` on')).toEqual([
    ['by ', false, false],
    ['`', false, true],
    ['***1509', true, false],
    ['`', false, true],
    [' on', false, false],
  ])
  expect(shown('a ` b\n` c')).toEqual([['a ` b\n` c', false, false]])
})

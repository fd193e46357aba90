import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pathInWords, pointer, steps, valueInWords } from './fact.ts'

const RECORD = {
  signals: [{ name: 'amount_deviation', value: 4.72 }],
  baseline: { median_amount: { amount: '1600.99', currency: 'TRY' } },
  timeline: [{ event: 'x' }],
}

test('a path is put into words, with list items under their own names', () => {
  const check = (path: string, words: string) => expect(pathInWords(path, RECORD)).toBe(words)
  check('/signals/0/value', 'signals, amount deviation, value')
  check('/baseline/median_amount', 'baseline, median amount')
  check('/timeline/0/event', 'timeline, no. 1, event')
  check('/not/there', 'not, there')
  check('', '')
})

test('a value is shown in readable form, and an amount stays decimal text', () => {
  expect(valueInWords({ amount: '12345678901234567890.10', currency: 'KRW' })).toBe('KRW 12,345,678,901,234,567,890.10')
  expect(valueInWords(1234.5)).toBe('1,234.5')
  expect(valueInWords(null)).toBe('not stated')
  expect(valueInWords(true)).toBe('yes')
  expect(valueInWords(['a'])).toBe('["a"]')
})

test('any path into any record is put into words without an error', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.jsonValue(), (path, record) => {
      expect(typeof pathInWords(path, record)).toBe('string')
      expect(typeof valueInWords(record)).toBe('string')
    }),
    { numRuns: 300 },
  )
})

test('a JSON pointer round-trips', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8 }), { maxLength: 5 }), (names) => {
      expect(steps(names.reduce(pointer, ''))).toEqual(names)
    }),
    { numRuns: 200 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../log.ts'
import { findings } from '../staged.test-env.tsx'
import { segments } from './marks.ts'

const at = (start: number, end: number): Finding => ({
  kind: 'pii',
  type: 'TYPE',
  severity: 'high',
  score: 1,
  detector: 'd',
  explanation: '',
  start,
  end,
})

function check(text: string, spans: [number, number][], expected: [string, number[]][]) {
  const cut = segments(
    text,
    spans.map(([start, end]) => at(start, end)),
  )
  expect(cut.map(({ text, findings }) => [text, findings])).toEqual(expected)
}

describe('marks', () => {
  it('cover the words that a finding is about', () => {
    check(
      'a card 4111',
      [[7, 11]],
      [
        ['a card ', []],
        ['4111', [0]],
      ],
    )
    check(
      '4111 a card',
      [[0, 4]],
      [
        ['4111', [0]],
        [' a card', []],
      ],
    )
    check('all', [[0, 3]], [['all', [0]]])
    check('none', [], [['none', []]])
    check('', [[0, 3]], [])
  })

  it('count a character outside the BMP as one', () => {
    check(
      '😀😀 ab 𝔘',
      [[3, 5]],
      [
        ['😀😀 ', []],
        ['ab', [0]],
        [' 𝔘', []],
      ],
    )
  })

  it('count each combining mark as one, like the inspectors', () => {
    check(
      'e\u0301 x',
      [[3, 4]],
      [
        ['e\u0301 ', []],
        ['x', [0]],
      ],
    )
    check(
      '👩‍👩‍👧 x',
      [[6, 7]],
      [
        ['👩‍👩‍👧 ', []],
        ['x', [0]],
      ],
    )
  })

  it('may overlap', () => {
    check(
      'abcdef',
      [
        [0, 4],
        [2, 6],
      ],
      [
        ['ab', [0]],
        ['cd', [0, 1]],
        ['ef', [1]],
      ],
    )
    check(
      'abcdef',
      [
        [0, 6],
        [2, 4],
        [2, 4],
      ],
      [
        ['ab', [0]],
        ['cd', [0, 1, 2]],
        ['ef', [0]],
      ],
    )
  })

  it('are left out if a finding is not about words in the text', () => {
    check(
      'abc',
      [
        [0, 0],
        [2, 2],
        [3, 9],
        [2, 1],
        [Number.NaN, 2],
      ],
      [['abc', []]],
    )
    check(
      'abc',
      [[2, 900]],
      [
        ['ab', []],
        ['c', [0]],
      ],
    )
  })

  it('together are the whole text, whatever the findings are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 60 }),
        fc.array(findings, { maxLength: 12 }),
        (text, found) => {
          const cut = segments(text, found)
          expect(cut.map(({ text }) => text).join('')).toBe(text)
          expect(cut.every(({ text }) => text !== '')).toBe(true)
          const points = Array.from(text)
          for (const [which, { start, end }] of found.entries()) {
            const marked = cut
              .filter(({ findings }) => findings.includes(which))
              .map(({ text }) => text)
              .join('')
            const from = Math.max(0, start)
            const words = end <= from ? [] : points.slice(from, end)
            expect(marked).toBe(words.join(''))
          }
        },
      ),
      { numRuns: 500 },
    )
  })
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { breakdown, readIssue, sum } from './score.ts'

const deduction = fc.record({
  points: fc.integer({ min: 0, max: 60 }),
  reason: fc.constantFrom('no_timeline', 'missing_section executive_summary', 'hash_differs content'),
  rule: fc.constantFrom('consistency' as const, 'high_issue' as const),
})

test('the deductions lead from 100 to the score, and never below 0', () => {
  fc.assert(
    fc.property(fc.array(deduction, { maxLength: 12 }), (deductions) => {
      const taken = deductions.reduce((all, { points }) => all + points, 0)
      const score = Math.max(0, 100 - taken)
      const { steps, addsUp } = breakdown({ validation_score: score, deductions, pass_mark: 70 })
      expect(addsUp).toBe(true)
      expect(steps.at(-1)?.remaining ?? 100).toBe(score)
      let before = 100
      for (const { points, remaining } of steps) {
        expect(remaining).toBe(Math.max(0, before - points))
        before = remaining
      }
    }),
    { numRuns: 200 },
  )
})

test('a score that its deductions do not add up to is noticed', () => {
  expect(breakdown({ validation_score: 80, deductions: [], pass_mark: 70 }).addsUp).toBe(false)
})

test('the sum is written in the usual way', () => {
  const deductions = [
    { points: 5, reason: 'word_range fraud_explanation', rule: 'medium_issue' as const },
    { points: 2, reason: 'model_remark', rule: 'low_issue' as const },
  ]
  const found = breakdown({ validation_score: 93, deductions, limits: null, pass_mark: 70 })
  expect(sum(found)).toBe('100 − 5 − 2 = 93')
  expect(found.steps[0]?.reason).toBe('word range: Fraud explanation')
  expect(sum(breakdown({ validation_score: 100, deductions: [] }))).toBe('100 of 100')
})

const FAULTS: [reason: string, words: string][] = [
  ['missing_section executive_summary', 'missing section: Executive summary'],
  ['unlicensed risk_justification', 'sentence not supported by any fact: Risk justification'],
  ['no_evidence', 'no evidence'],
  ['weak_evidence', 'weak evidence'],
  ['evidence_weakness thin_baseline', 'evidence weakness: thin baseline'],
  ['narrative_point who', 'narrative lacks: who'],
]

test.each(FAULTS)('a deduction for %s is shown as: %s', (reason, words) => {
  const deductions = [{ points: 20, reason, rule: 'consistency' as const }]
  expect(breakdown({ validation_score: 80, deductions }).steps[0]?.reason).toBe(words)
})

test('an issue of any shape is shown without an error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(typeof readIssue(value).description).toBe('string')
    }),
    { numRuns: 200 },
  )
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_FILTERS } from './filters.ts'
import { logOf, scores, statusOf } from './staged.test-env.tsx'
import { type Counts, counted, mean } from './stats.ts'

const NOTHING: Counts = {
  total: 0,
  by_status: { Safe: 0, Warning: 0, Flagged: 0 },
  by_score: Array.from({ length: 11 }, () => 0),
  average_risk: 0,
  trend: [],
  as_of: 0,
  partial: false,
}

describe('the average', () => {
  it('Feature: agent-audit, Property 26: Average risk calculation', () => {
    fc.assert(
      fc.property(fc.array(scores, { maxLength: 400 }), (all) => {
        const logs = all.map((score, seq) => logOf(seq, score))
        const counts = counted(NOTHING, logs, NO_FILTERS, null)
        const sum = all.reduce((sum, score) => sum + score, 0)
        expect(mean(counts.by_score)).toBe(all.length === 0 ? 0 : sum / all.length)
        expect(counts.total).toBe(all.length)
      }),
      { numRuns: 300 },
    )
  })

  it('is 0 without scores', () => {
    expect(mean([])).toBe(0)
  })
})

describe('counts that are updated locally', () => {
  it('equal a full count, however the rows overlap', () => {
    fc.assert(
      fc.property(
        fc.array(scores, { maxLength: 60 }),
        fc.nat(60),
        fc.array(fc.nat(60), { maxLength: 8 }),
        (all, begin, cuts) => {
          const logs = all.map((score, seq) => logOf(seq, score))
          let counts = counted(NOTHING, logs.slice(0, begin), NO_FILTERS, 'hour')
          let passed = begin
          // Live rows arrive in the order of the log without gaps; after an interruption some arrive twice.
          for (const cut of [...cuts.sort((a, b) => a - b), all.length]) {
            counts = counted(counts, logs.slice(Math.max(0, passed - 10), cut), NO_FILTERS, 'hour')
            passed = Math.max(passed, cut)
          }
          const again = counted(NOTHING, logs, NO_FILTERS, 'hour')
          expect({ ...counts, trend: [] }).toEqual({ ...again, trend: [] })
          expect(counts.trend.map(({ start, total }) => [start, total])).toEqual(
            again.trend.map(({ start, total }) => [start, total]),
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('include only matching rows, and remember how far the log has been counted', () => {
    const logs = [0, 5, 9].map((score, seq) => logOf(seq, score))
    const counts = counted(NOTHING, logs, { ...NO_FILTERS, status: 'Warning' }, null)
    expect([counts.total, counts.by_status, counts.as_of]).toEqual([1, { Safe: 0, Warning: 1, Flagged: 0 }, 3])
    expect(counted(counts, logs, NO_FILTERS, null)).toBe(counts)
  })

  it('have one point of the trend for each bucket, oldest first', () => {
    const logs = [90, 30, 0, 61].map((seconds, at) => logOf(seconds, at * 3, { seq: at }))
    const { trend } = counted(NOTHING, logs, NO_FILTERS, 'hour')
    expect(trend.map(({ start, total, average_risk }) => [start, total, average_risk])).toEqual([
      ['2026-03-01T09:30:00.000Z', 2, 4.5],
      ['2026-03-01T09:31:00.000Z', 2, 4.5],
    ])
  })
})

it('the statuses used in these tests match their scores', () => {
  expect([3, 4, 6, 7].map(statusOf)).toEqual(['Safe', 'Warning', 'Warning', 'Flagged'])
})

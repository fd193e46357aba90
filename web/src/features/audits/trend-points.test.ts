import { expect, test } from 'vitest'
import { filled, inWords, type Point, pointInWords } from './trend-points.ts'

const MINUTE_MS = 60_000
const at = (hour: number, minute: number) => new Date(2020, 1, 3, hour, minute).getTime()

function bucket(atMs: number, total: number, average_risk: number) {
  return {
    start: new Date(atMs).toISOString(),
    total,
    average_risk,
    by_status: { Safe: total, Warning: 0, Flagged: 0 },
  }
}

test('a bucket without answers has a point without an average', () => {
  const points = filled([bucket(at(14, 3), 12, 2.44)], MINUTE_MS, 3 * MINUTE_MS, at(14, 4) + 20_000)
  expect(points).toEqual([
    { atMs: at(14, 2), total: 0, risk: null },
    { atMs: at(14, 3), total: 12, risk: 2.44 },
    { atMs: at(14, 4), total: 0, risk: null },
  ])
})

test.each<[Point, string]>([
  [{ atMs: at(14, 3), total: 12, risk: 2.44 }, '3 Feb 14:03 to 14:04: average risk 2.4, 12 answers'],
  [{ atMs: at(14, 59), total: 1, risk: 10 }, '3 Feb 14:59 to 15:00: average risk 10.0, 1 answer'],
  [{ atMs: at(14, 3), total: 0, risk: null }, '3 Feb 14:03 to 14:04: no answers'],
  [{ atMs: at(14, 3), total: 1_200, risk: 0 }, '3 Feb 14:03 to 14:04: average risk 0.0, 1,200 answers'],
])('a point is described by its time, average and count', (point, expected) => {
  expect(pointInWords(point, MINUTE_MS)).toBe(expected)
})

test('the whole trend is described by its peak', () => {
  const points = [1, 7, 3].map((risk, minute) => ({ atMs: at(9, minute), total: 2, risk }))
  expect(inWords(points, MINUTE_MS)).toBe('6 answers, peak average 7.0 from 3 Feb 09:01 to 09:02')
  expect(inWords([{ atMs: at(9, 0), total: 0, risk: null }], MINUTE_MS)).toBe('No answers in this period')
})

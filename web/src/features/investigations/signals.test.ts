import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SIGNALS } from '@/testing/case.ts'
import { composition, readSignals, whatHappened } from './signals.ts'

const NAMES = ['outcome', 'value', 'contribution', 'explanation', 'baseline', 'details', 'flags', 'unit', 'threshold']
/** Any value, and values that are nearly valid. */
const anySignal = fc.oneof(
  fc.jsonValue(),
  fc.dictionary(fc.constantFrom(...NAMES), fc.oneof(fc.jsonValue(), fc.constantFrom('fired', 'km/h', 12, -3))),
)
const anyMetadata = fc.oneof(
  fc.jsonValue(),
  fc.record({ signals: fc.dictionary(fc.string(), anySignal) }),
  fc.constant(undefined),
)

test('signals of any shape are read without an error, and summed up in one line', () => {
  fc.assert(
    fc.property(anyMetadata, fc.integer({ min: 0, max: 100 }), (metadata, score) => {
      const signals = readSignals(metadata)
      for (const { name, baseline, details, flags } of signals) {
        expect(typeof name).toBe('string')
        expect([...baseline, ...details].flat().every((text) => typeof text === 'string')).toBe(true)
        expect(flags.every((flag) => typeof flag.name === 'string')).toBe(true)
      }
      expect(typeof whatHappened(metadata)).toBe('string')
      const { parts, sum } = composition(signals, score)
      expect(parts.reduce((all, { points }) => all + points, 0)).toBe(sum)
    }),
    { numRuns: 500 },
  )
})

test('the strongest signal comes first and says what happened', () => {
  const metadata = { signals: SIGNALS }
  expect(readSignals(metadata).map(({ name }) => name)).toEqual([
    'amount_deviation',
    'velocity_anomaly',
    'geographic_inconsistency',
  ])
  expect(whatHappened(metadata)).toBe('The amount of TRY 91,941.11 was 153 times the median.')
})

test('a signal of an external alert is shown as JSON only if its figures would not be complete', () => {
  const check = (signal: unknown, explanation: string | null) =>
    expect(readSignals({ signals: { velocity: signal } })[0]?.explanation).toBe(explanation)
  check({ value: 6, threshold: 4, unit: 'payments' }, null)
  check({ value: 6, seen_by: 'us' }, '{"value":6,"seen_by":"us"}')
  check({ threshold: 4 }, '{"threshold":4}')
  check('fast', 'fast')
})

test('amounts stay decimal text', () => {
  const amount = readSignals({ signals: SIGNALS })[0]
  expect(amount?.baseline).toEqual([['median amount', 'TRY 600.99']])
})

test('a trip is read from the travel signal', () => {
  const trips = readSignals({ signals: SIGNALS }).map(({ trip }) => trip)
  expect(trips[2]).toEqual({
    from: 'SG',
    to: 'NO',
    distanceKm: 10052,
    elapsed: '9 days',
    speedKmh: 47.9,
    limitKmh: 1000,
    isNewCountry: false,
  })
  expect(trips[0]).toBeNull()
})

test('a sum over 100 is reported as capped, and a wrong sum as not adding up', () => {
  const totals = (score: number, ...points: number[]) => {
    const signals = readSignals({ signals: Object.fromEntries(points.map((n, at) => [`s${at}`, { contribution: n }])) })
    const { sum, isCapped, addsUp } = composition(signals, score)
    return { sum, isCapped, addsUp }
  }
  expect(totals(95, 50, 45)).toEqual({ sum: 95, isCapped: false, addsUp: true })
  expect(totals(100, 60, 45)).toEqual({ sum: 105, isCapped: true, addsUp: true })
  expect(totals(70, 50, 45)).toEqual({ sum: 95, isCapped: false, addsUp: false })
})

test('if rules matched, the heaviest one describes the alert', () => {
  const flags = [
    { name: 'new_device', weight: 15, message: 'The device was new.' },
    { name: 'card_testing', weight: 25, message: 'The amount was one of many small ones.' },
  ]
  const rule_flags = { outcome: 'fired', contribution: 40, explanation: '2 of 9 rules held.', flags }
  expect(whatHappened({ signals: { rule_flags } })).toBe('The amount was one of many small ones.')
})

test('an unknown shape is kept as text', () => {
  expect(whatHappened({ signals: { odd: { count_1h: 14 } } })).toBe('{"count_1h":14}')
  expect(whatHappened({ signals: { odd: 'fourteen' } })).toBe('fourteen')
  expect(whatHappened({})).toBe('External alert without signals')
})

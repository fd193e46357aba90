import fc from 'fast-check'
import { expect, test } from 'vitest'
import { factsInWords } from './licence.ts'

const RECORD = {
  signals: [
    { name: 'amount_deviation', unit: 'modified z-score', flags: [{ name: 'night_transfer', weight: 10 }] },
    { name: 'velocity_anomaly' },
  ],
  timeline: [{ happening: 'prior_transaction', timestamp: '2026-10-17T18:23:17.441590Z', event: 'Paid AED 38.00.' }],
  baseline: { countries: [{ country_name: 'Norway' }] },
}

const ROWS: [path: string, value: unknown, name: string, words: string][] = [
  ['/signals/0/outcome', 'fired', 'Amount deviation', 'fired'],
  ['/signals/1/outcome', 'clear', 'Velocity anomaly', 'did not fire'],
  ['/signals/1/outcome', 'insufficient_history', 'Velocity anomaly', 'not enough history to tell'],
  ['/signals/0/value', 5.45, 'Amount deviation, value', '5.45 modified z-score'],
  ['/signals/0/threshold', 3.5, 'Amount deviation, threshold', '3.5 modified z-score'],
  ['/signals/0/contribution', 57, 'Amount deviation, contribution', '57'],
  ['/signals/0/flags/0/weight', 10, 'Amount deviation, flags, night transfer, weight', '10'],
  ['/signals', [{ outcome: 'fired' }, { outcome: 'clear' }], 'Signals', '1 of 2 fired'],
  ['/transaction/status', 'not_stated', 'Transaction, status', 'not stated'],
  ['/transaction', { transaction_id: 'tx-1' }, 'Transaction', 'on record'],
  ['/transaction', null, 'Transaction', 'not on record'],
  ['/transaction/merchant', null, 'Transaction, merchant', 'not on record'],
  ['/transaction/amount', { amount: '981.20', currency: 'AED' }, 'Transaction, amount', 'AED 981.20'],
  ['/transaction/occurred_at', '2026-11-05T13:29:42.988415Z', 'Transaction, time', '5 Nov 2026, 13:29:42 UTC'],
  ['/transaction/location', { country_name: 'Norway', city: 'Oslo' }, 'Transaction, location', 'Oslo, Norway'],
  ['/baseline', null, 'Baseline', 'no baseline on record'],
  ['/baseline', { transactions: 1 }, 'Baseline', '1 earlier transaction'],
  ['/baseline/countries/0/country_name', 'Norway', 'Country in the baseline', 'Norway'],
  ['/baseline/countries/0/transactions', 21, 'Earlier transactions in Norway', '21'],
  ['/transaction/location/city', 'Oslo', 'Transaction, city', 'Oslo'],
  ['/correlation/prior_alerts', 0, 'Earlier alerts for this customer', 'none'],
  ['/correlation/prior_alerts', 3, 'Earlier alerts for this customer', '3'],
  ['/score/agrees_with_severity', false, "Score within the severity's band", 'no'],
  ['/score/contributions', [{ signal: 'amount_deviation', points: 57 }], 'Points by signal', 'amount deviation 57'],
  ['/case/source', 'detector', 'Alert raised by', 'the detector'],
  ['/case/source', 'external', 'Alert raised by', 'an external system'],
  ['/timeline', [{}], 'Timeline', '1 event'],
  ['/timeline/0', RECORD.timeline[0], 'Prior transaction of 17 Oct 2026', 'Paid AED 38.00.'],
  ['/timeline/0/location/city', 'Oslo', 'Prior transaction of 17 Oct 2026, city', 'Oslo'],
]

test.each(ROWS)('%s with %j is put into words', (path, value, name, words) => {
  const isOnRecord = value !== null
  expect(factsInWords([{ path, value }], RECORD)).toEqual([{ path, name, value: words, isOnRecord }])
})

test('a fact is left out if a more specific one is listed or another reads the same', () => {
  const facts = [
    { path: '/baseline', value: { transactions: 4 } },
    { path: '/baseline/days', value: 17 },
    { path: '/case/risk_score', value: 57 },
    { path: '/score/total', value: 57 },
  ]
  expect(factsInWords(facts, RECORD).map(({ path }) => path)).toEqual(['/baseline/days', '/case/risk_score'])
})

test('a long value is truncated', () => {
  const [fact] = factsInWords([{ path: '/transaction/metadata/memo', value: '😀'.repeat(1_000) }], RECORD)
  // 300 characters and an ellipsis.
  expect(Array.from(fact?.value ?? '')).toHaveLength(301)
})

test('any fact of any record is put into words without an error', () => {
  const anyPath = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom('/signals/0/value', '/timeline/0/x', '/score/contributions', '/__proto__/outcome', '/signals'),
  )
  fc.assert(
    fc.property(anyPath, fc.jsonValue(), fc.jsonValue(), (path, value, record) => {
      for (const fact of factsInWords([{ path, value }], record)) {
        expect(typeof fact.name).toBe('string')
        expect(typeof fact.value).toBe('string')
      }
    }),
    { numRuns: 400 },
  )
})

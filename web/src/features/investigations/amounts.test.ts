import fc from 'fast-check'
import { expect, test } from 'vitest'
import { transactionRow } from '@/testing/case.ts'
import { amounts, medianOf } from './amounts.ts'

const cents = fc.bigInt({ min: 0n, max: 10n ** 24n })
const text = (value: bigint) => `${value / 100n}.${(value % 100n).toString().padStart(2, '0')}`

test('the median is exact, however large the amounts are', () => {
  fc.assert(
    fc.property(fc.array(cents, { minLength: 1, maxLength: 15 }), (values) => {
      const sorted = [...values].sort((one, other) => (one < other ? -1 : 1))
      const [low = 0n, high = 0n] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]]
      const found = medianOf(values.map(text), 'TRY')?.amount ?? ''
      // In tenths of a cent, so that halves are integers.
      const [whole = '', part = ''] = found.split('.')
      expect(BigInt(whole + part.padEnd(3, '0'))).toBe((low + high) * 5n)
    }),
    { numRuns: 300 },
  )
})

test('amounts without decimals have a median, and an empty list has none', () => {
  expect(medianOf(['37971'], 'KRW')?.amount).toBe('37971')
  expect(medianOf(['3', '4'], 'KRW')?.amount).toBe('3.5')
  expect(medianOf([], 'KRW')).toBeNull()
})

function on(day: number, amount: string, currency = 'TRY') {
  return transactionRow({
    seq: day,
    transaction_id: `tx-${day}`,
    amount: { amount, currency },
    occurred_at: `2026-11-${String(day).padStart(2, '0')}T00:00:00Z`,
  })
}

test('the chart shows one currency in chronological order, including this transaction', () => {
  const about = on(9, '900.00')
  const found = amounts([on(3, '30.00'), on(1, '10.00'), on(2, '5.00', 'USD')], about, null)
  expect(found?.rows.map(({ seq }) => seq)).toEqual([1, 3, 9])
  expect(found?.at).toBe(2)
  expect(found?.others).toBe(1)
  expect(found?.median?.amount).toBe('20.00')
  expect(found?.isLog).toBe(true)
})

test('the detector’s median is preferred to the computed one', () => {
  const known = { amount: '600.99', currency: 'TRY' }
  expect(amounts([on(1, '10.00')], null, known)?.median).toBe(known)
  expect(amounts([on(1, '10.00')], null, { ...known, currency: 'USD' })?.median?.amount).toBe('10.00')
})

test('without transactions there is no chart', () => {
  expect(amounts([], null, null)).toBeNull()
})

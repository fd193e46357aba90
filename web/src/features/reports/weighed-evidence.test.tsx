import { render, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Schemas } from '@/api/client.ts'
import { HOSTILE } from '@/testing/case.ts'
import { history, WeighedEvidence } from './weighed-evidence.tsx'

const COUNTED: Schemas['Evidence'] = {
  signals: [{ name: 'amount_deviation', value: 9.41, threshold: 3.5, unit: 'modified z-score' }],
  rules: ['night_hours'],
  transaction_on_record: true,
  baseline: { transactions: 3, days_since_last: 2 },
  transactions_in_other_currencies: 0,
}

const WEIGHED: Schemas['WeighedEvidence'] = {
  counted: COUNTED,
  row: 'corroborated',
  base: 'strong',
  strength: 'adequate',
  weaknesses: [{ kind: 'thin_baseline', detail: 'The baseline holds 3 earlier transactions.', steps: 1 }],
}

function shown(overrides: Partial<Schemas['WeighedEvidence']> = {}, stated: Schemas['Strength'] = 'strong') {
  const weighed = { ...WEIGHED, ...overrides }
  const strength = stated === 'weak' ? 'weak' : weighed.strength
  render(<WeighedEvidence weighed={weighed} stated={stated} strength={strength} />)
  return screen.getByRole('region', { name: 'Evidence' })
}

test('measured signals are shown with value, threshold and unit', () => {
  const text = shown().textContent
  expect(text).toContain('amount deviation 9.41, threshold 3.5 modified z-score')
  expect(text).toContain('Matching rule: night hours')
  expect(text).toContain('compared with 3 earlier ones, the last 2 days before')
})

test('the row of the table that applied is marked, and the weaknesses are named', () => {
  const region = shown()
  const rows = within(region).getAllByRole('row', { hidden: true })
  expect(rows).toHaveLength(5)
  const applied = rows.filter((row) => row.getAttribute('aria-current') === 'true')
  expect(applied.map((row) => row.textContent)).toEqual(['Several measured signals, or one together with a rulestrong'])
  expect(region.textContent).toContain('Weaknesses')
  expect(region.textContent).toContain('thin baseline · one step down')
})

test('an alert without evidence says so in a badge and in a sentence', () => {
  const nothing = { signals: [], rules: [], transaction_on_record: false, transactions_in_other_currencies: 0 }
  const region = shown({ counted: nothing, row: 'nothing_measured', base: 'none', strength: 'none', weaknesses: [] })
  expect(within(region).getByText('None', { selector: '[data-tone="flagged"]' })).toBeDefined()
  expect(region.textContent).toContain('No measured signal and no rule.')
  expect(region.textContent).toContain('No transaction on record.')
})

test('a text that states less than the evidence is distinguished from weak evidence', () => {
  expect(shown({}, 'weak').textContent).toContain(
    'The text states less than the evidence shows, so the justification counts as weak.',
  )
})

test('untrusted names are shown as text', () => {
  const signals = HOSTILE.map((name) => ({ name, value: 2, threshold: 1, unit: name }))
  const region = shown({ counted: { ...COUNTED, signals, rules: HOSTILE } })
  expect(region.querySelector('script, img, svg[onload], a')).toBeNull()
  expect((window as unknown as { taken?: number }).taken).toBeUndefined()
})

test('the history is described in a sentence', () => {
  const rows: [Partial<Schemas['Evidence']>, string][] = [
    [{ transaction_on_record: false }, 'No transaction on record.'],
    [{ baseline: { transactions: 0 } }, 'Transaction on record, with no earlier one in its currency to compare with.'],
    [{ baseline: null }, 'Transaction on record, with no earlier one in its currency to compare with.'],
    [
      { baseline: { transactions: 1, days_since_last: 1 } },
      'Transaction on record, compared with 1 earlier one, made 1 day before.',
    ],
    [
      { baseline: { transactions: 64, days_since_last: 0 } },
      'Transaction on record, compared with 64 earlier ones, the last less than a day before.',
    ],
  ]
  for (const [overrides, expected] of rows) expect(history({ ...COUNTED, ...overrides })).toBe(expected)
})

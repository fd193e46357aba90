import { expect, test } from 'vitest'
import { type Decision, forbidden } from './standing.ts'

const ANA = { name: 'Ana', key_id: 'abcdefgh2345' }

function check(
  decision: Decision,
  status: Parameters<typeof forbidden>[1]['status'],
  requesters: string[],
  reason: RegExp | null,
) {
  const found = forbidden(decision, { status: status ?? null, requesters }, ANA)
  if (reason === null) expect(found).toBeNull()
  else expect(found).toMatch(reason)
}

test('a report that waits may be approved, sent back or disposed of', () => {
  check('approve', 'in_review', [], null)
  check('send_back', 'in_review', [], null)
  check('dispose', 'in_review', [], null)
})

test('only disposing is possible while nothing waits, and nothing after it', () => {
  check('approve', 'approved', [], /waits for review; this one is approved/)
  check('send_back', 'open', [], /waits for review/)
  check('dispose', 'open', [], null)
  check('dispose', 'disposed', [], /final/)
  check('approve', null, [], /newer version/)
})

test('four eyes: who requested a report or posted its alert may send it back but not close it', () => {
  check('approve', 'in_review', ['abcdefgh2345'], /Four eyes/)
  check('approve', 'in_review', ['Ana'], /Four eyes/)
  check('approve', 'in_review', ['somebody-else'], null)
  check('dispose', 'in_review', ['Ana'], /Four eyes/)
  check('dispose', 'approved', ['Ana'], null)
  check('send_back', 'in_review', ['Ana'], null)
})

test('four eyes do not bind where everybody is local', () => {
  const report = { status: 'in_review' as const, requesters: ['local'] }
  expect(forbidden('approve', report, { name: 'local', key_id: null })).toBeNull()
})

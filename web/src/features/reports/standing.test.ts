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

test('a report that is waiting for review can be approved, sent back or closed', () => {
  check('approve', 'in_review', [], null)
  check('send_back', 'in_review', [], null)
  check('dispose', 'in_review', [], null)
})

test('a report that is not waiting for review can only be closed, and a closed one allows no decision', () => {
  check('approve', 'approved', [], /waiting for review .* This one is approved/)
  check('send_back', 'open', [], /waiting for review/)
  check('dispose', 'open', [], null)
  check('dispose', 'disposed', [], /final/)
  check('approve', null, [], /newer version/)
})

test('four-eyes review: a requester may send a report back but neither approve nor close it', () => {
  check('approve', 'in_review', ['abcdefgh2345'], /Four-eyes review/)
  check('approve', 'in_review', ['Ana'], /Four-eyes review/)
  check('approve', 'in_review', ['somebody-else'], null)
  check('dispose', 'in_review', ['Ana'], /Four-eyes review/)
  check('dispose', 'approved', ['Ana'], null)
  check('send_back', 'in_review', ['Ana'], null)
})

test('four-eyes review is not enforced without named users', () => {
  const report = { status: 'in_review' as const, requesters: ['local'] }
  expect(forbidden('approve', report, { name: 'local', key_id: null })).toBeNull()
})

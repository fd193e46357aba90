import { expect, test } from 'vitest'
import { authorsOf, type Written } from './queries.ts'
import { type Decision, forbidden } from './standing.ts'

const ANA = { name: 'Ana', key_id: 'abcdefgh2345' }

function check(
  decision: Decision,
  status: Parameters<typeof forbidden>[1]['status'],
  authors: string[] | null,
  reason: RegExp | null,
) {
  const found = forbidden(decision, { status: status ?? null, is_current: true }, authors, ANA)
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

test('four eyes: who asked for a report may send it back but not approve it', () => {
  check('approve', 'in_review', ['abcdefgh2345'], /Four eyes/)
  check('approve', 'in_review', ['Ana'], /Four eyes/)
  check('approve', 'in_review', ['somebody-else'], null)
  check('send_back', 'in_review', ['Ana'], null)
})

test('four eyes do not bind where everybody is local', () => {
  expect(
    forbidden('approve', { status: 'in_review', is_current: true }, ['local'], { name: 'local', key_id: null }),
  ).toBeNull()
})

test('until it is known who asked for a report, it waits for that', () => {
  check('approve', 'in_review', null, /being looked up/)
  check('send_back', 'in_review', null, null)
})

test('authors are those of this report and of what it was made from', () => {
  const one = (reportType: string, version: number, requestedBy: string | null): Written => ({
    eventId: `${reportType}-${version}`,
    seq: version,
    reportId: null,
    reportType,
    version,
    requestedBy,
  })
  const all = [one('full', 1, 'ana'), one('full', 2, null), one('full', 3, 'ben'), one('internal', 1, 'cem')]
  expect(authorsOf({ report_type: 'full', version: 2 }, all)).toEqual(['ana'])
  expect(authorsOf({ report_type: 'full', version: 3 }, all)).toEqual(['ana', 'ben'])
  expect(authorsOf({ report_type: 'internal', version: 1 }, all)).toEqual(['cem'])
})

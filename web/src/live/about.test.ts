import { expect, test } from 'vitest'
import type { LiveMessage } from './connection.ts'
import { isAbout } from './live.tsx'

function check(data: unknown, concerns: boolean) {
  const message = { type: 'review', cursor: 'x', data } as LiveMessage
  expect(isAbout('case-1', 'report-1')(message), JSON.stringify(data)).toBe(concerns)
}

test('a message concerns a page if its row carries one of the page’s ids', () => {
  check({ investigation_id: 'case-1' }, true)
  check({ report_id: 'report-1' }, true)
  check({ id: 'report-1', investigation_id: 'another' }, true)
  check({ investigation_id: 'another', report_id: 'another' }, false)
  check({}, false)
})

test('a message without a row may concern any page', () => {
  check(undefined, true)
  check(null, true)
  check('text', true)
})

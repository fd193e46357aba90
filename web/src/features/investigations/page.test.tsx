import { act, screen, waitFor } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ALERT_ID, alertRow, CASE_ID, caseRow, HOSTILE, REPORT_ID, reportRow } from '@/testing/case.ts'
import { show } from '@/testing/page.tsx'
import { type ReceivedRequest, refusal, serve } from '@/testing/server.ts'
import InvestigationsPage from './page.tsx'

function list(...items: unknown[]) {
  return { items, next: null }
}

const WAITING = {
  investigation: caseRow({ assigned_to: 'Ana' }),
  report: reportRow({ passed: true, validation_score: 97 }),
  issues_count: 0,
  waiting_since: '2026-11-15T20:48:32Z',
  review: null,
}

async function shown(routes: Record<string, unknown> = {}, at = '/investigations') {
  const server = serve({
    'GET /api/reviews': list(WAITING),
    'GET /api/investigations': list(caseRow()),
    'GET /api/reports': list(reportRow({ passed: true, validation_score: 97 })),
    'GET /api/alerts': list(alertRow()),
    ...routes,
  })
  const rest = await show(<InvestigationsPage />, at)
  return { server, ...rest }
}

const rowLinks = () => screen.getAllByRole('link').filter((link) => link.hasAttribute('data-row'))

test('a row shows severity, customer, description, assignee and report check', async () => {
  await shown()
  const link = await screen.findByRole('link', { name: 'The amount of TRY 91,941.11 was 153 times the median.' })
  expect(link.getAttribute('href')).toBe(`/investigations/${CASE_ID}`)
  const row = link.closest('tr')
  for (const words of ['CRITICAL', '95', '***1509', 'Waiting for review', 'Ana', 'Report check passed', '97']) {
    expect(row?.textContent).toContain(words)
  }
  expect(row?.textContent).not.toContain('user-6158')
})

test('all investigations show the report check of their report', async () => {
  await shown({}, '/investigations?show=all')
  expect(await screen.findByText('Report check passed')).toBeDefined()
})

test('two waiting reports of one investigation are two rows', async () => {
  const second = { ...WAITING, report: reportRow({ id: 'another', report_type: 'compliance' }) }
  await shown({ 'GET /api/reviews': list(second, WAITING) })
  await waitFor(() => expect(rowLinks()).toHaveLength(2))
  expect(screen.getByText('compliance report')).toBeDefined()
})

test('the list of decisions names the reviewers', async () => {
  const review = {
    event_id: 'r',
    seq: 20,
    decision: 'approve',
    decided_by: 'abcd',
    decided_by_name: 'Ben',
    decided_at: WAITING.waiting_since,
  }
  await shown({ 'GET /api/reviews': list({ ...WAITING, review }) }, '/investigations?show=decided')
  const row = (await screen.findByText('Ben')).closest('tr')
  expect(row?.textContent).not.toContain('Ana')
})

test('low alerts link to their event, because they have no investigation', async () => {
  const low = alertRow({ severity: 'low', score: 12, status: 'recorded', investigation_id: null })
  await shown({ 'GET /api/alerts': list(low) }, '/investigations?show=alerts')
  // Once for narrow screens and once for wide ones.
  expect(await screen.findAllByText('Recorded')).toHaveLength(2)
  expect(rowLinks()[0]?.getAttribute('href')).toBe(`/ledger/${low.event_id}`)
})

test('filters are part of the address, and invalid values are ignored', async () => {
  const { server } = await shown({}, '/investigations?show=all&severity=high&status=nonsense&user_id=u-1')
  await screen.findByRole('table')
  const request = server.requests.find(({ path }) => path === '/api/investigations') as ReceivedRequest
  expect(Object.fromEntries(request.query)).toEqual({ limit: '50', severity: 'high', user_id: 'u-1' })
})

test('searching for a customer switches to the list that can be searched', async () => {
  const { place, server } = await shown()
  await screen.findByRole('table')
  await user.keyboard('/')
  const box = screen.getByRole('searchbox', { name: 'Customer id' })
  expect(document.activeElement).toBe(box)
  await user.type(box, 'user-61581509')
  await waitFor(() => expect(server.requests.some(({ query }) => query.get('user_id') === 'user-61581509')).toBe(true))
  expect(place.history?.at(-1)).toContain('show=all')
  expect(document.activeElement).toBe(box)
})

test('j and k walk through the rows', async () => {
  const second = { ...WAITING, investigation: caseRow({ investigation_id: 'second', seq: 10 }) }
  await shown({ 'GET /api/reviews': list(WAITING, second) })
  await screen.findByRole('table')
  await user.keyboard('j')
  expect(document.activeElement).toBe(rowLinks()[0])
  await user.keyboard('jj')
  expect(document.activeElement).toBe(rowLinks()[1])
  await user.keyboard('k')
  expect(document.activeElement).toBe(rowLinks()[0])
})

test('an empty queue explains where alerts come from', async () => {
  await shown({ 'GET /api/reviews': list() })
  expect(await screen.findByText('No reviews waiting')).toBeDefined()
  expect(screen.getByText(/curl .*\/api\/alerts/)).toBeDefined()
  expect(screen.getByText('countersign demo')).toBeDefined()
})

test('a filter that matches nothing can be cleared', async () => {
  await shown(
    { 'GET /api/investigations': list(), 'GET /api/reports': list() },
    '/investigations?show=all&severity=low',
  )
  expect(await screen.findByText('No investigations match')).toBeDefined()
  const clear = screen.getByRole('link', { name: 'Clear filters' })
  expect(clear.getAttribute('href')).toBe('/investigations?show=all')
})

test('a queue that can’t be loaded says so and can be retried', async () => {
  const { server } = await shown({ 'GET /api/reviews': refusal(403, 'the role is not allowed') })
  expect((await screen.findByRole('alert')).textContent).toContain('the role is not allowed')
  server.on('GET /api/reviews', list(WAITING))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByRole('table')).toBeDefined()
})

test('older rows are loaded from where the list ended', async () => {
  const answer = ({ query }: ReceivedRequest) =>
    query.get('after') === 'more'
      ? list({ ...WAITING, investigation: caseRow({ investigation_id: 'older', seq: 3 }) })
      : { items: [WAITING], next: 'more' }
  await shown({ 'GET /api/reviews': answer })
  await user.click(await screen.findByRole('button', { name: 'Load older' }))
  await waitFor(() => expect(rowLinks()).toHaveLength(2))
  expect(screen.queryByRole('button', { name: 'Load older' })).toBeNull()
})

test('the rows stay if older ones can’t be loaded', async () => {
  const answer = ({ query }: ReceivedRequest) =>
    query.has('after') ? refusal(403, 'not now') : { items: [WAITING], next: 'more' }
  await shown({ 'GET /api/reviews': answer })
  await user.click(await screen.findByRole('button', { name: 'Load older' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Older entries could not be loaded: not now.')
  expect(rowLinks()).toHaveLength(1)
})

test('a new row appears automatically, but waits while the reader is further down', async () => {
  const { server, liveServer } = await shown()
  await screen.findByRole('table')
  const arrive = (id: string, seq: number) => ({ ...WAITING, investigation: caseRow({ investigation_id: id, seq }) })
  server.on('GET /api/reviews', list(arrive('b', 12), WAITING))
  liveServer.send({ type: 'investigation', data: {} })
  await waitFor(() => expect(rowLinks()).toHaveLength(2), { timeout: 5_000 })
  scroll(500)
  server.on('GET /api/reviews', list(arrive('c', 13), arrive('b', 12), WAITING))
  liveServer.send({ type: 'investigation', data: {} })
  const button = await screen.findByRole('button', { name: '1 new' }, { timeout: 5_000 })
  expect(rowLinks().map((link) => link.dataset.row)).toEqual([`b/${REPORT_ID}`, `${CASE_ID}/${REPORT_ID}`])
  scroll(0)
  await waitFor(() => expect(rowLinks()).toHaveLength(3))
  expect(button.isConnected).toBe(false)
})

function scroll(to: number) {
  act(() => {
    Object.defineProperty(window, 'scrollY', { value: to, configurable: true })
    dispatchEvent(new Event('scroll'))
  })
}

test('hostile strings in a row are shown as text', async () => {
  for (const text of HOSTILE) {
    const signals = { [text]: { explanation: text } }
    const investigation = caseRow({ assigned_to: text, user_id: text, alert_id: ALERT_ID, signals })
    const { container, unmount } = await shown({ 'GET /api/reviews': list({ ...WAITING, investigation }) })
    await waitFor(() => expect(rowLinks()[0]?.textContent).toBe(text))
    expect(container.querySelectorAll('script, img, svg[onload], [onerror]')).toHaveLength(0)
    expect('taken' in window).toBe(false)
    unmount()
  }
})

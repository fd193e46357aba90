import { screen, waitFor } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import type { Schemas } from '@/api/client.ts'
import type { Role } from '@/api/session.ts'
import {
  alertRow,
  CASE_ID,
  caseRow,
  HOSTILE,
  investigation,
  REPORT_ID,
  report,
  transactionRow,
} from '@/testing/case.ts'
import { show } from '@/testing/page.tsx'
import { LOCAL, type ReceivedRequest, refusal, serve } from '@/testing/server.ts'
import InvestigationPage from './one.tsx'

// happy-dom has no canvas, so only the chart's description is rendered.
vi.mock('@/components/chart/chart.tsx', () => ({
  Chart: ({ label }: { label: string }) => <div role="img" aria-label={label} />,
}))

const APPROVAL: Schemas['ReviewRow'] = {
  event_id: '01a1e0f8-0000-7000-8000-000000000001',
  seq: 20,
  report_id: REPORT_ID,
  decision: 'approve',
  comment: '',
  decided_by: 'local',
  decided_at: '2026-11-15T20:50:00Z',
}

function list(...items: unknown[]) {
  return { items, next: null }
}

async function shown(
  overrides: Partial<Schemas['Investigation']> = {},
  routes: Record<string, unknown> = {},
  who: { name?: string; role?: Role } = {},
) {
  const server = serve({
    'GET /api/session': { ...LOCAL, ...who },
    'GET /api/investigations/:id': investigation(overrides),
    'GET /api/transactions': list(
      transactionRow(),
      transactionRow({ seq: 3, amount: { amount: '600.99', currency: 'TRY' } }),
    ),
    'GET /api/alerts': list(alertRow(), alertRow({ alert_id: 'other', investigation_id: 'other-case', score: 41 })),
    'GET /api/reports/:id': report(),
    ...routes,
  })
  const rest = await show(<InvestigationPage id={CASE_ID} />, `/investigations/${CASE_ID}`)
  return { server, ...rest }
}

test('the verdict comes first, and the score is the sum of its signals', async () => {
  await shown()
  const heading = await screen.findByRole('heading', { level: 1 })
  expect(heading.textContent).toContain('Waiting for review')
  expect(heading.textContent).toContain('***1509')
  expect(screen.getByTestId('score-parts').textContent).toBe('= amount 50 + velocity 45')
})

test('a sum over 100 shows its cap', async () => {
  const metadata = { signals: { a: { contribution: 60 }, rule_flags: { contribution: 45 } } }
  await shown({ risk_score: 100, alert: alertRow({ score: 100, metadata }) })
  expect((await screen.findByTestId('score-parts')).textContent).toBe('= a 60 + rules 45 = 105, capped at 100')
})

test('the chart is described in words, with amounts as decimal text', async () => {
  await shown()
  const chart = await screen.findByRole('img')
  expect(chart.getAttribute('aria-label')).toContain('earlier median TRY 600.99')
  expect(chart.getAttribute('aria-label')).toContain('This one was TRY 91,941.11.')
})

test('the travel panel shows the distance, the time, and the speed against the limit', async () => {
  await shown()
  const travel = await screen.findByRole('region', { name: 'Travel since the previous transaction' })
  for (const words of [
    'Singapore',
    'Norway',
    '10,052 km',
    'in 9 days',
    '47.9 km/h',
    'limit of 1,000 km/h',
    'Possible',
  ]) {
    expect(travel.textContent).toContain(words)
  }
})

test('events link to the ledger, and the customer’s other alerts to their investigations', async () => {
  await shown()
  const event = await screen.findByRole('link', { name: 'Alert raised' })
  expect(event.getAttribute('href')).toBe(`/ledger/${alertRow().event_id}`)
  const other = await screen.findByRole('link', { name: /^CRITICAL ?41/ })
  expect(other.getAttribute('href')).toBe('/investigations/other-case')
})

test('an external alert with nothing but a score still has a page', async () => {
  await shown(
    { alert: alertRow({ metadata: {} }), transaction: null, transaction_id: null, reports: [], report_id: null },
    { 'GET /api/transactions': list(), 'GET /api/alerts': list() },
  )
  expect(await screen.findByText('The alert carries no signals')).toBeDefined()
  expect(screen.getByText(/score comes from the alert/)).toBeDefined()
  expect(await screen.findByText('No transactions on record for this customer')).toBeDefined()
  expect(screen.getByText(/No report has been written yet/)).toBeDefined()
})

test('an investigation can be assigned and unassigned', async () => {
  const { server } = await shown()
  server.on('POST /api/investigations/:id/assign', ({ body }: ReceivedRequest) => {
    const { to } = body as { to: string | null }
    server.on('GET /api/investigations/:id', investigation({ assigned_to: to }))
    return caseRow({ assigned_to: to })
  })
  await user.click(await screen.findByRole('button', { name: 'Assign to me' }))
  await user.click(await screen.findByRole('button', { name: 'Unassign' }))
  await screen.findByRole('button', { name: 'Assign to me' })
  const posted = server.requests.filter(({ method }) => method === 'POST').map(({ body }) => body)
  expect(posted).toEqual([{ to: 'local' }, { to: null }])
})

test('a refused change shows an error and changes nothing', async () => {
  await shown({}, { 'POST /api/investigations/:id/assign': refusal(410, 'its content has been erased') })
  await user.click(await screen.findByRole('button', { name: 'Assign to me' }))
  expect((await screen.findByRole('alert')).textContent).toBe('Nothing was changed: its content has been erased')
})

test('a review can be requested with a reason', async () => {
  const { server } = await shown(
    {},
    { 'POST /api/investigations/:id/supervisor-review': Response.json({ request_id: 'x' }, { status: 202 }) },
  )
  await user.click(await screen.findByRole('button', { name: 'Request review…' }))
  await user.type(screen.getByRole('textbox'), 'New facts.')
  await user.click(screen.getByRole('button', { name: 'Request' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(server.requests.find(({ method }) => method === 'POST')?.body).toEqual({ reason: 'New facts.' })
})

test('actions that a role does not allow are not offered', async () => {
  await shown({}, {}, { name: 'Vera', role: 'viewer' })
  const link = await screen.findByRole('link', { name: 'Read the report' })
  expect(link.getAttribute('href')).toBe(`/reports/${REPORT_ID}`)
  expect(screen.queryByRole('button', { name: 'Assign to me' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Request review…' })).toBeNull()
})

test('a missing investigation says so', async () => {
  await shown({}, { 'GET /api/investigations/:id': refusal(404, 'there is no investigation of this id') })
  expect((await screen.findByRole('alert')).textContent).toContain('there is no investigation of this id')
})

test('the sender’s explanation and country are shown if there are any', async () => {
  const metadata = { signals: {}, country: 'PT', explanation: 'Two cards,\none device.' }
  const { unmount } = await shown({ alert: alertRow({ metadata }) })
  const panel = (await screen.findByText('Details from the sender')).closest('section')
  expect(panel?.textContent).toContain('Two cards,\none device.')
  expect(panel?.textContent).toContain('Portugal')
  unmount()
  await shown({ alert: alertRow({ metadata: { signals: {}, country: 7, explanation: ['x'] } }) })
  await screen.findByRole('heading', { level: 1 })
  expect(screen.queryByText('Details from the sender')).toBeNull()
})

test('a change elsewhere updates the page, which tells an automatic approval from a reviewer’s', async () => {
  const { server, liveServer } = await shown()
  await screen.findByText('Waiting for review')
  server.on('GET /api/investigations/:id', investigation({ status: 'approved' }))
  liveServer.send({ type: 'review', data: { investigation_id: CASE_ID } })
  expect(await screen.findByText('Auto-approved', {}, { timeout: 5_000 })).toBeDefined()
  server.on('GET /api/investigations/:id', investigation({ status: 'approved', reviews: [APPROVAL] }))
  liveServer.send({ type: 'review', data: { investigation_id: CASE_ID } })
  await waitFor(() => expect(screen.queryByText('Auto-approved')).toBeNull(), { timeout: 5_000 })
  expect(screen.getAllByText('Approved').length).toBeGreaterThan(0)
})

test('hostile strings in every field of a case are shown as text', async () => {
  for (const text of HOSTILE) {
    const metadata = {
      country: text,
      explanation: text,
      signals: {
        [text]: {
          outcome: text,
          explanation: text,
          unit: text,
          value: 1,
          flags: [text],
          details: { [text]: text, from_country: text, to_country: text, distance_km: 1, speed_kmh: 2 },
        },
      },
    }
    const { container, unmount } = await shown({
      assigned_to: text,
      alert: alertRow({ metadata }),
      transaction: transactionRow({ merchant: text, metadata: { memo: text } }),
      anomalies: [
        { event_id: 'a', anomaly: text, severity: 'low', description: text, flagged_at: '2026-11-15T20:48:32Z' },
      ],
      reviews: [
        {
          event_id: 'r',
          seq: 1,
          report_id: REPORT_ID,
          decision: 'dispose',
          comment: text,
          decided_by: text,
          decided_at: '2026-11-15T20:48:32Z',
        },
      ],
      events: [{ event_id: 'e', event_type: text, occurred_at: '2026-11-15T20:48:32Z', seq: 1 }],
    })
    await screen.findByRole('img')
    expect(container.querySelectorAll('script, img, svg[onload], [onerror], a[href^="javascript"]')).toHaveLength(0)
    expect(container.textContent).toContain(text)
    expect('taken' in window).toBe(false)
    unmount()
  }
})

test('records are requested by investigation, and masked ones say why', async () => {
  const { server } = await shown({ user_id: '***1509' }, {}, { role: 'viewer' })
  expect(await screen.findByText(/masked for your role/)).toBeTruthy()
  expect(screen.queryByText('Show identifiers')).toBeNull()
  expect(screen.queryByRole('link', { name: 'View all' })).toBeNull()
  await waitFor(() => {
    const requests = server.requests.filter(({ path }) => path === '/api/transactions' || path === '/api/alerts')
    expect(requests.map(({ query }) => query.get('investigation_id'))).toEqual([CASE_ID, CASE_ID])
  })
})

import { screen, waitFor } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Schemas } from '@/api/client.ts'
import type { Role } from '@/api/session.ts'
import { investigation, REPORT_ID, report, reportRow, verdict } from '@/testing/case.ts'
import { show } from '@/testing/page.tsx'
import { LOCAL, refusal, serve } from '@/testing/server.ts'
import ReportPage from './page.tsx'

const DECIDED: Schemas['ReviewRow'] = {
  event_id: '01a1e0f8-0000-7000-8000-000000000001',
  seq: 20,
  report_id: REPORT_ID,
  decision: 'approve',
  comment: '',
  decided_by: 'local',
  decided_at: '2026-11-15T20:50:00Z',
}

function page(...items: unknown[]) {
  return { items, next: null }
}

async function shown(
  routes: Record<string, unknown> = {},
  who: { name?: string; role?: Role; keys_required?: boolean } = {},
) {
  const server = serve({
    'GET /api/session': { ...LOCAL, ...who },
    'GET /api/reports/:id': report(),
    'GET /api/reports/:id/validations': page(verdict()),
    'GET /api/reports/:id/facts': { items: [], sentences: [], context_sha256: '54' },
    'GET /api/reports/:id/versions': page(reportRow()),
    'GET /api/investigations/:id': investigation(),
    'GET /api/events': page(),
    'GET /api/reports/:id/addenda': page(),
    'POST /api/reports/:id/reviews/preview': { writer: 'builtin', will_change: ['make the timeline of events longer'] },
    ...routes,
  })
  await show(<ReportPage id={REPORT_ID} />, `/reports/${REPORT_ID}`)
  await screen.findByTestId('score-sum')
  return server
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const posted = (server: Awaited<ReturnType<typeof shown>>) =>
  server.requests
    .filter(({ method, path }) => method === 'POST' && !path.endsWith('/preview'))
    .map(({ path, body }) => [path, body])

test('an approval is sent to the server, and only the response changes the page', async () => {
  const server = await shown()
  server.on('POST /api/reports/:id/reviews', () => {
    server.on('GET /api/reports/:id', report({ status: 'approved' }))
    server.on('GET /api/investigations/:id', investigation({ reviews: [DECIDED] }))
    return Response.json(DECIDED, { status: 201 })
  })
  await user.click(button('Approve'))
  await user.click(screen.getAllByRole('button', { name: 'Approve' }).at(-1) as HTMLElement)
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(posted(server)).toEqual([[`/api/reports/${REPORT_ID}/reviews`, { decision: 'approve', comment: '' }]])
  expect(await screen.findByText('Approved')).toBeDefined()
  expect(button('Approve').disabled).toBe(true)
})

test('sending back needs a comment', async () => {
  const server = await shown({ 'POST /api/reports/:id/reviews': DECIDED })
  await user.click(button('Send back…'))
  expect(button('Send back').disabled).toBe(true)
  await user.type(screen.getByRole('textbox'), '  ')
  expect(button('Send back').disabled).toBe(true)
  await user.type(screen.getByRole('textbox'), 'Name the threshold.')
  await user.click(button('Send back'))
  await waitFor(() => expect(posted(server)).toHaveLength(1))
  expect(posted(server)[0]?.[1]).toEqual({ decision: 'send_back', comment: '  Name the threshold.' })
})

test('closing a case records its outcome', async () => {
  const server = await shown({ 'POST /api/reports/:id/reviews': DECIDED })
  await user.click(button('Close case…'))
  await user.selectOptions(screen.getByRole('combobox', { name: 'Outcome' }), 'false_positive')
  await user.type(screen.getByRole('textbox'), 'The customer travelled.')
  await user.click(button('Close case'))
  await waitFor(() => expect(posted(server)).toHaveLength(1))
  expect(posted(server)[0]?.[1]).toEqual({
    decision: 'dispose',
    comment: 'The customer travelled.',
    disposition: 'false_positive',
  })
})

test('a refusal is shown in the dialog of the decision, and the input is kept', async () => {
  await shown({
    'POST /api/reports/:id/reviews': refusal(409, "the requester of a report can't approve it"),
  })
  await user.click(button('Approve'))
  await user.type(screen.getByRole('textbox'), 'Looks right.')
  await user.click(screen.getAllByRole('button', { name: 'Approve' }).at(-1) as HTMLElement)
  const alert = await screen.findByRole('alert')
  expect(alert.textContent).toBe("Nothing was recorded: the requester of a report can't approve it")
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('Looks right.')
})

test('a requester sees beforehand that someone else must approve the report', async () => {
  await shown({ 'GET /api/reports/:id': report({ requesters: ['Ana'] }) }, { name: 'Ana', role: 'reviewer' })
  expect(await screen.findByText(/Four-eyes review: you requested this report or posted its alert/)).toBeDefined()
  expect(button('Approve').disabled).toBe(true)
  expect(button('Close case…').disabled).toBe(true)
  expect(button('Send back…').disabled).toBe(false)
})

test('actions that a role does not allow are not offered', async () => {
  await shown({}, { name: 'Vera', role: 'investigator' })
  expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Close case…' })).toBeNull()
})

const CANNOT = {
  writer: 'builtin',
  will_change: [],
  cannot_act_on: [{ part: 'Call the customer', reason: 'The built-in writer can only change a section.' }],
  who_can: ['model', 'addendum'],
}

test('changes are previewed before a report is sent back', async () => {
  const server = await shown()
  await user.click(button('Send back…'))
  expect(screen.getByText(/For example/)).toBeDefined()
  await user.type(screen.getByRole('textbox'), 'Make the timeline longer.')
  expect(await screen.findByText('make the timeline of events longer')).toBeDefined()
  expect(screen.getByText('The built-in writer will:')).toBeDefined()
  const previews = server.requests.filter(({ path }) => path.endsWith('/preview'))
  expect(previews.map(({ body }) => body)).toEqual([{ comment: 'Make the timeline longer.' }])
  expect(posted(server)).toEqual([])
})

test('for a comment that the built-in writer can’t act on, the preview says who can, and it can still be sent', async () => {
  const server = await shown({
    'POST /api/reports/:id/reviews/preview': CANNOT,
    'POST /api/reports/:id/reviews': DECIDED,
  })
  await user.click(button('Send back…'))
  await user.type(screen.getByRole('textbox'), 'Call the customer.')
  expect(await screen.findByText('The built-in writer can’t act on this comment.')).toBeDefined()
  expect(screen.getByText(/A configured model can act on it, or you can add an addendum/)).toBeDefined()
  expect(screen.queryByText('The built-in writer will:')).toBeNull()
  await user.click(button('Send back'))
  await waitFor(() => expect(posted(server)).toHaveLength(1))
})

test('a server without keys says that four-eyes review can’t be enforced', async () => {
  await shown()
  expect(screen.getByRole('note').textContent).toContain('Four-eyes review can’t be enforced')
})

test('a server with keys shows no note about four-eyes review', async () => {
  await shown({}, { name: 'Ana', role: 'reviewer', keys_required: true })
  expect(button('Approve')).toBeDefined()
  expect(screen.queryByText(/Four-eyes review can’t be enforced/)).toBeNull()
})

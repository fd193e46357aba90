import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Role } from '@/api/session.ts'
import { CASE_ID, investigation, REPORT_ID, report, reportRow, verdict } from '@/testing/case.ts'
import { show } from '@/testing/page.tsx'
import { LOCAL, refusal, serve } from '@/testing/server.ts'
import ReportPage from './page.tsx'

const ADDENDUM = {
  addendum_id: '01a1e0f8-0000-7000-8000-000000000031',
  seq: 31,
  report_id: REPORT_ID,
  investigation_id: CASE_ID,
  text: 'The branch confirmed it. <img src=x onerror=alert(1)>',
  text_sha256: '00',
  added_by: '01a1e0f8-0000-7000-8000-000000000032',
  added_by_name: 'Ana',
  role: 'reviewer',
  added_at: '2026-11-15T20:50:00Z',
  version: 1,
}

function page(...items: unknown[]) {
  return { items, next: null }
}

async function shown(addenda: unknown[], role: Role = 'reviewer') {
  const server = serve({
    'GET /api/session': { ...LOCAL, name: 'Rui', role },
    'GET /api/reports/:id': report(),
    'GET /api/reports/:id/validations': page(verdict()),
    'GET /api/reports/:id/facts': { items: [], sentences: [], context_sha256: '54' },
    'GET /api/reports/:id/versions': page(reportRow()),
    'GET /api/reports/:id/addenda': page(...addenda),
    'GET /api/investigations/:id': investigation(),
    'GET /api/events': page(),
  })
  await show(<ReportPage id={REPORT_ID} />, `/reports/${REPORT_ID}`)
  await screen.findByTestId('score-sum')
  return server
}

test('an addendum is shown separately, as text, with its author', async () => {
  await shown([ADDENDUM], 'viewer')
  const panel = await screen.findByRole('region', { name: 'Addenda' })
  expect(within(panel).getByText('Reviewers’ own words, not checked against the facts.')).toBeDefined()
  expect(await within(panel).findByText(ADDENDUM.text)).toBeDefined()
  expect(within(panel).getByText('Ana')).toBeDefined()
  expect(panel.querySelector('img')).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add addendum…' })).toBeNull()
})

test('without addenda a viewer sees no empty panel', async () => {
  await shown([], 'viewer')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Addenda' })).toBeNull())
})

test('a reviewer adds an addendum, and it appears once the server has recorded it', async () => {
  const server = await shown([])
  server.on('POST /api/reports/:id/addenda', () => {
    server.on('GET /api/reports/:id/addenda', page(ADDENDUM))
    return Response.json(ADDENDUM, { status: 201 })
  })
  await user.click(screen.getByRole('button', { name: 'Add addendum…' }))
  const record = screen.getByRole<HTMLButtonElement>('button', { name: 'Add addendum' })
  expect(record.disabled).toBe(true)
  await user.type(screen.getByRole('textbox'), 'The branch confirmed it.')
  await user.click(record)
  expect(await screen.findByText(ADDENDUM.text)).toBeDefined()
  const sent = server.requests.filter(({ method }) => method === 'POST').map(({ path, body }) => [path, body])
  expect(sent).toEqual([[`/api/reports/${REPORT_ID}/addenda`, { text: 'The branch confirmed it.' }]])
})

test('a refusal is shown in the dialog, and the input is kept', async () => {
  const server = await shown([])
  server.on('POST /api/reports/:id/addenda', refusal(409, 'the report already has 100 addenda'))
  await user.click(screen.getByRole('button', { name: 'Add addendum…' }))
  await user.type(screen.getByRole('textbox'), 'One more.')
  await user.click(screen.getByRole('button', { name: 'Add addendum' }))
  expect((await screen.findByRole('alert')).textContent).toBe(
    'Nothing was recorded: the report already has 100 addenda',
  )
  expect(screen.getByRole<HTMLTextAreaElement>('textbox').value).toBe('One more.')
})

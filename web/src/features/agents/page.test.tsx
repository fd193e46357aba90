import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { show } from '@/testing/page.tsx'
import { LOCAL, refusal, serve } from '@/testing/server.ts'
import AgentsPage from './page.tsx'
import type { AgentStatus, DeadLetter } from './queries.ts'

const NOW = '2026-11-15T20:00:00Z'

function agent(overrides: Partial<AgentStatus> = {}): AgentStatus {
  return {
    name: 'reporter',
    state: 'IDLE',
    priority: 5,
    paused: false,
    started_at: '2026-11-15T19:00:00Z',
    heartbeat_at: '2026-11-15T19:59:50Z',
    processed: 1234,
    failed: 0,
    dead_lettered: 0,
    lag: 0,
    in_flight: 0,
    last_error: null,
    history: [],
    rate_per_minute: 0,
    ...overrides,
  }
}

const LETTER: DeadLetter = {
  id: '01a1e0f7-0000-7000-8000-000000000001',
  agent: 'reporter',
  event_seq: 5,
  event_id: '01a1e0f7-0000-7000-8000-000000000005',
  event_type: 'REPORT_REQUESTED',
  attempts: 5,
  error: 'the writer answered 503',
  dead_lettered_at: NOW,
  state: 'dead',
}

/** A response with these agents and the server's time, which differs from this machine's. */
function agents(...items: AgentStatus[]) {
  return () => Response.json({ items, next: null }, { headers: { date: new Date(NOW).toUTCString() } })
}

function letters(...items: DeadLetter[]) {
  return { items, next: null }
}

async function shown(routes: Record<string, unknown>, at = '/agents') {
  const server = serve({ 'GET /api/agents': agents(agent()), 'GET /api/dead-letters': letters(), ...routes })
  const page = await show(<AgentsPage />, at)
  await screen.findByRole('heading', { name: /reporter/ })
  return { server, ...page }
}

test('an agent with a recent heartbeat is healthy, whatever this machine’s clock says', async () => {
  await shown({})
  expect(screen.getByText('Idle')).toBeDefined()
  expect(screen.getByText('10 s ago')).toBeDefined()
  expect(screen.queryByText(/No heartbeat/)).toBeNull()
})

test.each([
  ['2026-11-15T19:58:31Z', false],
  ['2026-11-15T19:58:28Z', true],
])('a heartbeat of %s is stale: %s', async (heartbeat_at, isStale) => {
  await shown({ 'GET /api/agents': agents(agent({ heartbeat_at })) })
  expect(screen.queryByText('Not responding') !== null).toBe(isStale)
  expect(screen.queryByText(/No heartbeat for 1 min/) !== null).toBe(isStale)
})

test('the last error is shown as text, and failed attempts are counted', async () => {
  const history = [
    { at: '2026-11-15T19:58:00Z', processed: 7, failed: 0, lag: 0 },
    { at: '2026-11-15T19:59:00Z', processed: 12, failed: 3, lag: 0 },
  ]
  const last_error = '<b>503</b>'
  await shown({ 'GET /api/agents': agents(agent({ failed: 3, dead_lettered: 1, last_error, history })) })
  expect(screen.getByText('<b>503</b>', { exact: false }).querySelector('b')).toBeNull()
  const picture = '19 processed in the last hour, at most 12 per minute; 3 failed attempts'
  expect(screen.getByRole('img', { name: picture })).toBeDefined()
})

test('pausing says what stops, and happens only once it is confirmed', async () => {
  const { server } = await shown({ 'POST /api/agents/reporter/pause': agent({ paused: true }) })
  await user.click(screen.getByRole('button', { name: 'Pause reporter' }))
  const box = within(await screen.findByRole('dialog', { name: 'Pause the reporter?' }))
  expect(box.getByText(/No reports are written until the agent is resumed/)).toBeDefined()
  expect(server.requests.some(({ method }) => method === 'POST')).toBe(false)
  server.on('GET /api/agents', agents(agent({ paused: true })))
  await user.click(box.getByRole('button', { name: 'Pause' }))
  await screen.findByRole('button', { name: 'Resume reporter' })
  expect(screen.getByText('Paused')).toBeDefined()
})

test('a refused pause says so and keeps the dialog open', async () => {
  await shown({ 'POST /api/agents/reporter/pause': refusal(409, 'it is being stopped') })
  await user.click(screen.getByRole('button', { name: 'Pause reporter' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Pause' }))
  expect((await screen.findByRole('alert')).textContent).toContain('it is being stopped')
})

test.each(['viewer', 'investigator', 'reviewer'])('a %s is offered neither pause nor replay', async (role) => {
  await shown({ 'GET /api/session': { ...LOCAL, role }, 'GET /api/dead-letters': letters(LETTER) })
  await screen.findByText('the writer answered 503')
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('without dead letters the page says so', async () => {
  await shown({})
  expect(await screen.findByText('No dead letters')).toBeDefined()
})

test('the state filter is sent to the server and kept in the address', async () => {
  const { server, place } = await shown({})
  const requestedStates = () =>
    server.requests.filter(({ path }) => path === '/api/dead-letters').map(({ query }) => query.get('state'))
  expect(requestedStates()).toEqual(['dead'])
  await user.selectOptions(screen.getByLabelText('State of dead letters'), 'Replayed')
  await waitFor(() => expect(requestedStates().at(-1)).toBe('replayed'))
  expect(place.history.at(-1)).toContain('letters=replayed')
  await user.selectOptions(screen.getByLabelText('State of dead letters'), 'All')
  await waitFor(() => expect(requestedStates().at(-1)).toBe(null))
})

const OUTCOMES: [what: string, after: Partial<DeadLetter>, message: string][] = [
  ['is handled', { state: 'replayed' }, 'Replayed successfully.'],
  ['fails again', { attempts: 10, error: 'still 503' }, 'Failed again after 5 more attempts. still 503'],
]

test.each(OUTCOMES)('a replayed dead letter that %s is followed to its outcome', async (_what, after, message) => {
  const { server } = await shown({ 'GET /api/dead-letters': letters(LETTER) })
  server.on('POST /api/dead-letters/:id/replay', () => {
    server.on('GET /api/dead-letters', letters({ ...LETTER, state: 'replaying' }))
    return Response.json({ id: LETTER.id, state: 'replaying' }, { status: 202 })
  })
  await user.click(await screen.findByRole('button', { name: 'Replay “Report requested” for reporter' }))
  const replays = screen.getByRole('status', { name: 'Replays' })
  await waitFor(() => expect(replays.textContent).toContain('Replay in progress'))
  await screen.findByText('Replaying', { selector: '[data-tone]' })
  server.on('GET /api/dead-letters', letters({ ...LETTER, ...after }))
  await waitFor(() => expect(replays.textContent).toContain(message), { timeout: 3_000 })
})

test('a replay that is refused says why', async () => {
  await shown({
    'GET /api/dead-letters': letters(LETTER),
    'POST /api/dead-letters/:id/replay': refusal(409, 'it has been replayed'),
  })
  await user.click(await screen.findByRole('button', { name: /Replay/ }))
  expect(await screen.findByText(/it has been replayed/)).toBeDefined()
})

test('a new dead letter appears live', async () => {
  const { server, liveServer } = await shown({})
  await screen.findByText('No dead letters')
  server.on('GET /api/dead-letters', letters(LETTER))
  liveServer.send({ type: 'agent', event_type: 'EVENT_DEAD_LETTERED' })
  await screen.findByText('the writer answered 503', undefined, { timeout: 3_000 })
})

test('agents that can’t be loaded say so, and can be retried', async () => {
  const server = serve({ 'GET /api/agents': refusal(400, 'not now'), 'GET /api/dead-letters': letters() })
  await show(<AgentsPage />)
  await screen.findByText('The agents could not be loaded')
  server.on('GET /api/agents', agents(agent()))
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  await screen.findByRole('heading', { name: /reporter/ })
})

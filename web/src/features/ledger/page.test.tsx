import { readFileSync } from 'node:fs'
import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { eventId, type TestLog, testLog } from '@/testing/log.ts'
import { show } from '@/testing/page.tsx'
import { type ReceivedRequest, refusal, type Server, serve } from '@/testing/server.ts'
import { EVENT_TYPES } from './event-types.ts'
import LedgerPage from './page.tsx'

const text = (body: string) => new Response(body, { headers: { 'content-type': 'text/plain' } })
const event = (log: TestLog, seq: number) => ({ ...JSON.parse(log.headers[seq] as string), payload: {}, metadata: {} })

function leavesOf(log: TestLog) {
  return ({ query }: ReceivedRequest) => {
    const from = Number(query.get('from'))
    return { items: log.leaves.slice(from, from + Number(query.get('limit'))), next: null }
  }
}

const NO_WITNESSES = { required: 0, current: 0, on_missing: 'warn', missing: null, items: [], publish: null }
const WITNESS = { name: 'w.example/1', url: 'https://w.example', state: 'current', detail: null, size: 120 }

function serveLog(log: TestLog, routes: Record<string, unknown> = {}): Server {
  return serve({
    'GET /api/ledger/checkpoint': text(log.note),
    'GET /api/ledger/key': text(log.key),
    'GET /api/ledger/leaves': leavesOf(log),
    'GET /api/ledger/leaf/:index': ({ path }: ReceivedRequest) => {
      const leaf = log.leaves[Number(path.split('/').at(-1))]
      return leaf ? { ...leaf, leaf_hash: '' } : refusal(404, 'there is no such leaf')
    },
    'GET /api/events': { items: [], next: null },
    'GET /api/ledger/witnesses': NO_WITNESSES,
    ...routes,
  })
}

const LOG = testLog(120)

test('the checkpoint’s signature is checked here, with the published key', async () => {
  serveLog(LOG)
  await show(<LedgerPage />)
  expect(await screen.findByText('Valid, checked here')).toBeDefined()
  expect(screen.getByText('120 events signed')).toBeDefined()
})

test('an invalid signature is reported, and no size is shown', async () => {
  serveLog(LOG, { 'GET /api/ledger/checkpoint': text(LOG.note.replace('\n120\n', '\n121\n')) })
  await show(<LedgerPage />)
  expect(await screen.findByText('Invalid signature')).toBeDefined()
  expect(screen.queryByText(/events signed/)).toBeNull()
})

test('the whole log is verified on request, and the panel says what is not covered', async () => {
  serveLog(LOG)
  await show(<LedgerPage />)
  await user.click(await screen.findByRole('button', { name: 'Verify the log' }))
  expect(await screen.findByText('All 120 leaves verify')).toBeDefined()
  expect(screen.getByText(/does not cover the content of events/)).toBeDefined()
})

test('a changed leaf is reported as a failed verification, not as a connection problem', async () => {
  const leaves = LOG.leaves.with(7, { index: 7, header: (LOG.headers[7] as string).replace('answers', 'someone') })
  serveLog(LOG, { 'GET /api/ledger/leaves': leavesOf({ ...LOG, leaves }) })
  await show(<LedgerPage />)
  await user.click(await screen.findByRole('button', { name: 'Verify the log' }))
  expect(await screen.findByText('The log does not verify')).toBeDefined()
})

test('a check that can’t be completed has no result', async () => {
  const server = serveLog(LOG)
  await show(<LedgerPage />)
  await screen.findByText('Valid, checked here')
  server.on('GET /api/ledger/leaves', refusal(503, 'busy'))
  await user.click(await screen.findByRole('button', { name: 'Verify the log' }))
  expect((await screen.findByText(/could not be completed/)).textContent).toContain('There is no result')
})

test('the newest events come first, and older ones are loaded on request', async () => {
  serveLog(LOG)
  await show(<LedgerPage />)
  await screen.findByText('119')
  const positions = () => [...document.querySelectorAll('tbody tr')].map((row) => row.firstChild?.textContent)
  expect(positions()).toEqual(Array.from({ length: 50 }, (_, at) => String(119 - at)))
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await screen.findByText('20')
  await user.click(screen.getByRole('button', { name: 'Load more' }))
  await screen.findByText('0')
  expect(positions()).toEqual(Array.from({ length: 120 }, (_, at) => String(119 - at)))
  expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull()
})

test('rows stay still while the log grows, and a button shows the new ones', async () => {
  const server = serveLog(LOG)
  const { queries } = await show(<LedgerPage />)
  await screen.findByText('119')
  const grown = testLog(123)
  server.on('GET /api/ledger/leaves', leavesOf(grown))
  queries.setQueryData(['ledger', 'checkpoint'], grown.note)
  await user.click(await screen.findByRole('button', { name: '3 new' }))
  expect(await screen.findByText('122')).toBeDefined()
  expect(screen.queryByRole('button', { name: /new/ })).toBeNull()
})

test('filters come from the address and go into it', async () => {
  const items = [event(LOG, 3)]
  const server = serveLog(LOG, { 'GET /api/events': { items, next: null } })
  const at = `/ledger?type=ANSWER_RECORDED,<b>,NEVER_HEARD_OF&correlation=${eventId(0)}`
  const { place } = await show(<LedgerPage />, at)
  await screen.findByRole('link', { name: 'Answer recorded' })
  const request = server.requests.find(({ path }) => path === '/api/events')
  expect(request?.query.getAll('type')).toEqual(['ANSWER_RECORDED', 'NEVER_HEARD_OF'])
  expect(request?.query.get('correlation_id')).toBe(eventId(0))
  await user.click(screen.getByRole('button', { name: '2 types' }))
  const types = within(await screen.findByRole('dialog', { name: 'Event types' }))
  await user.click(types.getByRole('checkbox', { name: 'Never heard of' }))
  await user.click(types.getByRole('checkbox', { name: 'Model called' }))
  await waitFor(() =>
    expect(new URLSearchParams(place.history.at(-1)?.split('?')[1]).get('type')).toBe('ANSWER_RECORDED,MODEL_CALLED'),
  )
})

const FOUND: [what: string, typed: string, place: string][] = [
  ['a sequence number', '1', `/ledger/${eventId(1)}`],
  ['an event’s id', eventId(3), `/ledger/${eventId(3)}`],
  ['any other id', eventId(999), `/ledger?correlation=${eventId(999)}`],
]

test.each(FOUND)('searching for %s opens the right page', async (_what, typed, expected) => {
  serveLog(LOG, {
    'GET /api/events/:id': ({ path }: ReceivedRequest) =>
      path.endsWith(eventId(3)) ? event(LOG, 3) : refusal(404, 'unknown'),
  })
  const { place } = await show(<LedgerPage />, '/ledger')
  await user.type(await screen.findByLabelText('Sequence number, event id or correlation id'), `${typed}{Enter}`)
  await waitFor(() => expect(place.history.at(-1)).toBe(expected))
})

test.each(['', 'hello', '<b>', '12x'])('%j is not searched for', async (typed) => {
  const server = serveLog(LOG)
  await show(<LedgerPage />, '/ledger')
  await screen.findByText('119')
  const before = server.requests.length
  if (typed !== '') await user.type(screen.getByLabelText('Sequence number, event id or correlation id'), typed)
  await user.click(screen.getByRole('button', { name: 'Find' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Enter a sequence number')
  expect(server.requests.length).toBe(before)
})

test('keys move the focus along the rows and to the search', async () => {
  serveLog(LOG)
  await show(<LedgerPage />)
  await screen.findByText('119')
  await user.keyboard('jj')
  expect(document.activeElement?.getAttribute('href')).toBe(`/ledger/${eventId(118)}`)
  await user.keyboard('k')
  expect(document.activeElement?.getAttribute('href')).toBe(`/ledger/${eventId(119)}`)
  await user.keyboard('/')
  expect(document.activeElement?.tagName).toBe('INPUT')
})

test('an empty log explains what will appear', async () => {
  serveLog(testLog(0))
  await show(<LedgerPage />)
  expect(await screen.findByText('No events yet')).toBeDefined()
})

test('every event type that the server writes can be chosen', () => {
  const source = readFileSync('../crates/domain/src/event.rs', 'utf8')
  const written = [...source.matchAll(/= "([A-Z_]+)" version/g)].map(([, type]) => type)
  expect(written.length).toBeGreaterThan(20)
  expect(EVENT_TYPES.flatMap(([, types]) => types).sort()).toEqual(written.sort())
})

test('a log without witnesses says what that means', async () => {
  serveLog(LOG)
  await show(<LedgerPage />)
  const panel = await screen.findByRole('region', { name: 'Witnesses' })
  expect(await within(panel).findByText(/^No witness keeps this log’s checkpoints/)).toBeDefined()
})

test('each witness is shown with its state, and a conflicting one stands out', async () => {
  const items = [
    { ...WITNESS, cosigned_at: new Date().toISOString() },
    {
      ...WITNESS,
      name: 'w.example/2',
      url: 'https://v.example',
      state: 'disagrees',
      detail: 'events are missing here',
    },
  ]
  const publish = { target: '/var/notes.txt', size: 120, detail: null }
  serveLog(LOG, {
    'GET /api/ledger/witnesses': { ...NO_WITNESSES, required: 2, current: 1, missing: '1 of 2', items, publish },
  })
  await show(<LedgerPage />)
  const panel = await screen.findByRole('region', { name: 'Witnesses' })
  expect(await within(panel).findByText('1 of 2 cosign, 2 required')).toBeDefined()
  expect(within(panel).getByText('Cosigning').closest('[data-tone]')?.getAttribute('data-tone')).toBe('safe')
  expect(within(panel).getByText('Conflicting history').closest('[data-tone]')?.getAttribute('data-tone')).toBe(
    'flagged',
  )
  expect(within(panel).getByText('Events are missing here.')).toBeDefined()
  expect(within(panel).getByText(/New work is still accepted/)).toBeDefined()
  expect(within(panel).getByText('Published')).toBeDefined()
  expect(screen.getByText(/has cosigned a conflicting history of this log/).closest('[role=alert]')).not.toBeNull()
})

import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { leafHash } from '@/ledger/merkle.ts'
import { eventId, METADATA, payload, SALT, testLog } from '@/testing/log.ts'
import { show } from '@/testing/page.tsx'
import { type ReceivedRequest, refusal, serve } from '@/testing/server.ts'
import EventPage from './event.tsx'

const LOG = testLog(2)
const body = (seq: number) => ({ payload: JSON.parse(payload(seq)), metadata: JSON.parse(METADATA) })
const event = (seq: number) => ({ ...JSON.parse(LOG.headers[seq] as string), ...body(seq) })
const text = (content: string) => new Response(content, { headers: { 'content-type': 'text/plain' } })

function serveEvent(routes: Record<string, unknown> = {}) {
  return serve({
    'GET /api/events/:id': ({ path }: ReceivedRequest) => event(path.endsWith('1') ? 1 : 0),
    'GET /api/events/:id/chain': { root: eventId(0), items: [event(0), event(1)], truncated: false },
    'GET /api/ledger/checkpoint': text(LOG.note),
    'GET /api/ledger/key': text(LOG.key),
    'GET /api/ledger/leaf/:index': ({ path }: ReceivedRequest) => {
      const index = Number(path.split('/').at(-1))
      const header = LOG.headers[index]
      if (header === undefined) return refusal(404, 'there is no such leaf')
      return { index, header, leaf_hash: '', salt: SALT, payload_json: payload(index), metadata_json: METADATA }
    },
    'GET /api/ledger/inclusion': { proof: [bytesToHex(leafHash(utf8ToBytes(LOG.headers[0] as string)))] },
    ...routes,
  })
}

test('an event is shown with its content, its chain and its proof', async () => {
  serveEvent()
  await show(<EventPage id={eventId(1)} />)
  expect(await screen.findByRole('heading', { name: 'Answer recorded' })).toBeDefined()
  expect(await screen.findByText('Verified')).toBeDefined()
  expect(screen.getByText('"question 1"')).toBeDefined()
  const graph = within(await screen.findByRole('region', { name: 'Chain as a graph' }))
  const links = graph.getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual([`/ledger/${eventId(0)}`, `/ledger/${eventId(1)}`])
  expect(links.map((link) => link.getAttribute('aria-current'))).toEqual([null, 'true'])
  expect(links[1]?.textContent).toContain('caused by Answer recorded')
  expect(within(screen.getByRole('list', { name: 'Chain as a list' })).getAllByRole('link')).toHaveLength(2)
})

test('content that differs from the commitment does not verify', async () => {
  serveEvent({ 'GET /api/events/:id': { ...event(1), payload: { query: 'forged' } } })
  await show(<EventPage id={eventId(1)} />)
  expect(await screen.findByText('Does not verify')).toBeDefined()
})

test('erased content is shown as erased, and its header still verifies', async () => {
  serveEvent({
    'GET /api/events/:id': { ...event(1), payload: null, metadata: null },
    'GET /api/ledger/leaf/:index': {
      index: 1,
      header: LOG.headers[1],
      salt: null,
      payload_json: null,
      metadata_json: null,
    },
  })
  await show(<EventPage id={eventId(1)} />)
  expect(await screen.findAllByText('Erased')).toHaveLength(2)
  expect(await screen.findByText('Header verified')).toBeDefined()
})

test('a chain that was cut off says so', async () => {
  serveEvent({ 'GET /api/events/:id/chain': { root: eventId(0), items: [event(0)], truncated: true } })
  await show(<EventPage id={eventId(0)} />)
  expect(await screen.findByText('First 1 event; more exist')).toBeDefined()
})

test('the neighbouring events can be opened', async () => {
  serveEvent()
  const { place } = await show(<EventPage id={eventId(1)} />, `/ledger/${eventId(1)}`)
  await user.click(await screen.findByRole('button', { name: 'Previous event' }))
  await waitFor(() => expect(place.history.at(-1)).toBe(`/ledger/${eventId(0)}`))
  await user.click(screen.getByRole('button', { name: 'Next event' }))
  expect(await screen.findByRole('button', { name: 'No next event' })).toBeDefined()
})

test('an unknown id is not reported as a server error', async () => {
  serveEvent({ 'GET /api/events/:id': refusal(404, 'there is no such event') })
  await show(<EventPage id="nothing" />)
  expect(await screen.findByText('Event not found')).toBeDefined()
})

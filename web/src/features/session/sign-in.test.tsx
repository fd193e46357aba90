import { render, screen, waitFor } from '@testing-library/react'
import user from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Session } from '@/api/session.ts'
import { App } from '@/app.tsx'
import { LOCAL, refusal, type Server, serve } from '@/testing/server.ts'

const STRANGER: Session = { ...LOCAL, signed_in: false, keys_required: true, name: null, role: null, worker: null }
const ANA: Session = { ...LOCAL, keys_required: true, name: 'Ana', role: 'viewer', csrf: 'token-1' }
const KEY = 'cs_abcdefgh2345_secret'

class Socket {
  static all: Socket[] = []
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  constructor() {
    Socket.all.push(this)
    queueMicrotask(() => {
      this.onopen?.()
      this.onmessage?.({ data: '{"type":"cursor","cursor":"t.0"}' })
    })
  }
  close() {}
}

beforeEach(() => {
  Socket.all = []
  vi.stubGlobal('WebSocket', Socket)
  history.replaceState(null, '', '/nowhere')
})

/** A server that accepts the key until a test changes that. */
function guarded(routes: Record<string, unknown> = {}): Server {
  const server = serve({
    'GET /api/session': STRANGER,
    'POST /api/session': () => {
      server.on('GET /api/session', ANA)
      return ANA
    },
    'DELETE /api/session': () => {
      server.on('GET /api/session', STRANGER)
      return new Response(null, { status: 204 })
    },
    'GET /api/ledger/checkpoint': new Response('countersign/x\n7\nroot\n'),
    ...routes,
  })
  return server
}

async function enter(key: string) {
  await user.type(await screen.findByLabelText('Key'), key)
  await user.click(screen.getByRole('button', { name: 'Sign in' }))
}

async function signedIn(server: Server) {
  render(<App />)
  await enter(KEY)
  await screen.findByRole('button', { name: 'Sign out Ana' })
  return server
}

test('a key signs in, is sent once and is not stored', async () => {
  const server = await signedIn(guarded())
  const sent = server.requests.filter(({ method }) => method === 'POST')
  expect(sent.map(({ path, body }) => [path, body])).toEqual([['/api/session', { key: KEY }]])
  expect(screen.queryByLabelText('Key')).toBeNull()
  expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain('cs_')
  expect(document.documentElement.innerHTML).not.toContain(KEY)
})

test('nothing is sent without a key', async () => {
  const server = guarded()
  render(<App />)
  await enter(' ')
  expect((await screen.findByRole('alert')).textContent).toBe('Enter a key.')
  expect(server.requests.filter(({ method }) => method === 'POST')).toEqual([])
})

const REFUSALS: [what: string, answer: unknown, message: string][] = [
  ['an unknown key', refusal(401, 'who'), 'This key is unknown, expired or revoked.'],
  [
    'too many attempts',
    refusal(429, 'slow down', { 'retry-after': '42' }),
    'Too many failed attempts. Try again in 42 seconds.',
  ],
  [
    'an unreachable server',
    new TypeError('Failed to fetch'),
    'The server can’t be reached. Check that it is running, then try again.',
  ],
  ['a failing server', refusal(500, 'secret cause'), 'Server error occurred, please try again later.'],
  [
    'an address that the server does not know',
    refusal(403, 'pages of this origin may not call the server'),
    `The server does not accept sign-ins from this address. Start it with FRONTEND_URL=${location.origin}; separate several addresses with commas.`,
  ],
  [
    'an agent’s key',
    { ...ANA, role: 'agent' },
    'This key is for programs that submit work; it can’t sign in to the dashboard.',
  ],
]

test.each(REFUSALS)('%s is explained', async (_what, answer, message) => {
  guarded({ 'POST /api/session': () => answer })
  render(<App />)
  await enter(KEY)
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(message))
  expect(screen.getByLabelText<HTMLInputElement>('Key').getAttribute('aria-invalid')).toBe('true')
})

test('signing out sends the CSRF token, and does not say that the session has ended', async () => {
  const server = await signedIn(guarded())
  await user.click(screen.getByRole('button', { name: 'Sign out Ana' }))
  await screen.findByLabelText('Key')
  expect(server.requests.find(({ method }) => method === 'DELETE')?.headers.get('x-countersign-csrf')).toBe('token-1')
  expect(screen.queryByText(/Your session has ended/)).toBeNull()
})

test('a request that is refused because the session ended leads to the sign-in page, which says so', async () => {
  const server = guarded({ 'GET /api/agents': { items: [], next: null }, 'GET /api/dead-letters': { items: [] } })
  await signedIn(server)
  server.on('GET /api/session', STRANGER)
  server.on('GET /api/agents', refusal(401, 'revoked'))
  await user.click(screen.getByRole('link', { name: 'Agents' }))
  expect((await screen.findByText(/Your session has ended/)).textContent).toContain('revoked')
  expect(screen.getByLabelText('Key')).toBeDefined()
})

test('a refused live connection leads to the sign-in page too', async () => {
  const server = await signedIn(guarded())
  server.on('GET /api/session', STRANGER)
  Socket.all.at(-1)?.onclose?.({ code: 1008 })
  await screen.findByText(/Your session has ended/)
})

test('an unreachable server leaves the page as it is', async () => {
  const server = await signedIn(guarded())
  const before = server.requests.length
  server.on('GET /api/session', refusal(400, 'away'))
  Socket.all.at(-1)?.onclose?.({ code: 1006 })
  await waitFor(() => expect(server.requests.length).toBeGreaterThan(before))
  expect(screen.getByRole('button', { name: 'Sign out Ana' })).toBeDefined()
})

test('on a server that needs no key no sign-out button is shown', async () => {
  serve({ 'GET /api/ledger/checkpoint': new Response('countersign/x\n7\nroot\n') })
  render(<App />)
  await screen.findByText('Page not found')
  expect(screen.queryByRole('button', { name: /Sign out/ })).toBeNull()
})

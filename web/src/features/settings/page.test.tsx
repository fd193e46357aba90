import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { show } from '@/testing/page.tsx'
import { LOCAL, type ReceivedRequest, refusal, serve } from '@/testing/server.ts'
import SettingsPage from './page.tsx'
import type { Key, Provider, Setting } from './queries.ts'

const SECRET = 'cs_abcdefgh2345_a-secret-shown-once'
const KEY: Key = { id: 'abcdefgh2345', name: '<i>Ana</i>', role: 'reviewer', created_at: '2026-11-01T10:00:00Z' }

function setting(key: string, overrides: Partial<Setting> = {}): Setting {
  return { key, value: '7', source: 'default', variable: null, description: 'What it is for', ...overrides }
}

function provider(overrides: Partial<Provider> = {}): Provider {
  const models = [{ model: 'llama', circuit: 'closed' }]
  const counts = { calls: 12, failures: 0, in_flight: 0, tokens_today: 3456, cost_usd_today: '0.12' }
  return { name: 'groq', ...counts, models, ...overrides }
}

const ROUTES = {
  'GET /api/config': {
    settings: [
      setting('listen', { value: '127.0.0.1:8080', source: 'flag', variable: 'COUNTERSIGN_LISTEN' }),
      setting('providers.groq_api_key', { value: 'gsk_…masked', source: 'environment', variable: 'GROQ_API_KEY' }),
      setting('limits.request_timeout_ms'),
    ],
  },
  'GET /api/providers': { worker: 'groq/llama', auditor: 'builtin', items: [provider()] },
  'GET /api/rules': {
    rules_hash: 'ab'.repeat(32),
    loaded_at: '2026-11-01T10:00:00Z',
    source: 'built-in',
    items: [{ name: 'round_amount', weight: 5, message: 'It was round.', when: 'amount % 100 == 0' }],
  },
  'GET /api/keys': { items: [KEY], next: null },
}

async function shown(routes: Record<string, unknown> = {}, at = '/settings') {
  const server = serve({ ...ROUTES, ...routes })
  const page = await show(<SettingsPage />, at)
  await screen.findByText('Round amount')
  return { server, ...page }
}

const panel = (name: string) => within(screen.getByRole('region', { name }))

test.each(['viewer', 'investigator', 'reviewer'])('a %s is shown neither keys nor configuration', async (role) => {
  const { server } = await shown({ 'GET /api/session': { ...LOCAL, role, csrf: 'token', name: 'Ana' } })
  expect(screen.getByText('Only admins can view, create and revoke access keys.')).toBeDefined()
  expect(screen.getByText('Only admins can view the configuration.')).toBeDefined()
  expect(server.requests.map(({ path }) => path).filter((path) => /keys|config/.test(path))).toEqual([])
  expect(screen.queryAllByRole('button')).toEqual([])
})

test('a new key is shown once', async () => {
  const { server, queries } = await shown({
    'POST /api/keys': ({ body }: ReceivedRequest) =>
      Response.json({ ...KEY, ...(body as object), key: SECRET }, { status: 201 }),
  })
  await user.click(await screen.findByRole('button', { name: 'New key' }))
  const box = within(await screen.findByRole('dialog', { name: 'New key' }))
  await user.type(box.getByLabelText('Owner or purpose'), ' Bo, night shift ')
  await user.selectOptions(box.getByLabelText('Role'), 'investigator')
  await user.selectOptions(box.getByLabelText('Expires'), '')
  await user.click(box.getByRole('button', { name: 'Create key' }))
  expect(await screen.findByText(SECRET)).toBeDefined()
  const sent = server.requests.find(({ method }) => method === 'POST')
  expect(sent?.body).toEqual({ name: 'Bo, night shift', role: 'investigator', expires_at: null })
  await user.click(screen.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByText(SECRET)).toBeNull())
  await user.click(screen.getByRole('button', { name: 'New key' }))
  await screen.findByRole('dialog', { name: 'New key' })
  expect(document.documentElement.outerHTML).not.toContain(SECRET)
  const kept = queries
    .getMutationCache()
    .getAll()
    .map(({ state }) => state.data)
  expect(JSON.stringify([kept, { ...localStorage }])).not.toContain(SECRET)
})

test('a key that could not be created says why and keeps the input', async () => {
  await shown({ 'POST /api/keys': refusal(400, 'name: must not be a secret') })
  await user.click(await screen.findByRole('button', { name: 'New key' }))
  await user.type(await screen.findByLabelText('Owner or purpose'), 'Bo')
  await user.click(screen.getByRole('button', { name: 'Create key' }))
  expect((await screen.findByRole('alert')).textContent).toContain('name: must not be a secret')
  expect(screen.getByLabelText<HTMLInputElement>('Owner or purpose').value).toBe('Bo')
})

test('a key is revoked only once that is confirmed', async () => {
  const { server } = await shown({ 'DELETE /api/keys/:id': { ...KEY, revoked_at: '2026-11-02T10:00:00Z' } })
  await user.click(await screen.findByRole('button', { name: 'Revoke the key of <i>Ana</i>' }))
  const box = within(await screen.findByRole('dialog', { name: 'Revoke this key?' }))
  expect(server.requests.some(({ method }) => method === 'DELETE')).toBe(false)
  server.on('GET /api/keys', { items: [{ ...KEY, revoked_at: '2026-11-02T10:00:00Z' }], next: null })
  await user.click(box.getByRole('button', { name: 'Revoke' }))
  expect(await screen.findByText('Revoked', { selector: '[data-tone]' })).toBeDefined()
  expect(server.requests.find(({ method }) => method === 'DELETE')?.path).toBe('/api/keys/abcdefgh2345')
  expect(screen.queryByRole('button', { name: /Revoke the key/ })).toBeNull()
})

const KEYS: [what: Partial<Key>, words: string][] = [
  [{}, 'Valid'],
  [{ expires_at: '2020-01-01T00:00:00Z' }, 'Expired'],
  [{ expires_at: '2999-01-01T00:00:00Z' }, 'Valid'],
  [{ revoked_at: '2020-01-01T00:00:00Z', expires_at: '2999-01-01T00:00:00Z' }, 'Revoked'],
]

test.each(KEYS)('a key with %j is %s', async (overrides, words) => {
  await shown({ 'GET /api/keys': { items: [{ ...KEY, ...overrides }], next: null } })
  expect(await panel('Access keys').findByText(words, { selector: '[data-tone]' })).toBeDefined()
  expect(document.querySelector('i')).toBeNull()
})

const HEALTH: [what: Partial<Provider>, words: string][] = [
  [{}, 'Working'],
  [{ calls: 0 }, 'Not called yet'],
  [{ failures: 3 }, 'Working, with failures'],
  [{ models: [{ model: 'llama', circuit: 'half_open' }] }, 'Retrying'],
  [{ key: 'refused', calls: 0 }, 'Key refused'],
  [{ key: 'refused', failures: 20, models: [{ model: 'llama', circuit: 'open' }] }, 'Key refused'],
  [{ key: 'unreachable', calls: 0 }, 'Unreachable at startup'],
  [{ key: 'accepted', calls: 0 }, 'Not called yet'],
  [{ failures: 20, models: [{ model: 'llama', circuit: 'open' }] }, 'Paused after failures'],
]

test.each(HEALTH)('a provider with %j is shown as: %s', async (overrides, words) => {
  await shown({ 'GET /api/providers': { ...ROUTES['GET /api/providers'], items: [provider(overrides)] } })
  expect(await panel('Providers').findByText(words, { selector: '[data-tone]' })).toBeDefined()
})

test('a refused key says what to do about it', async () => {
  await shown({ 'GET /api/providers': { ...ROUTES['GET /api/providers'], items: [provider({ key: 'refused' })] } })
  expect(await panel('Providers').findByText(/Replace the key and restart/)).toBeDefined()
})

test('today’s usage is shown with the daily budget', async () => {
  const items = [provider({ tokens_per_day: 10_000, usd_per_day: '1.5' }), provider({ name: 'ollama' })]
  await shown({ 'GET /api/providers': { worker: 'groq/llama', auditor: 'builtin', items } })
  expect(screen.getByText('3,456 of 10,000')).toBeTruthy()
  expect(screen.getByText('USD 0.12 of 1.5')).toBeTruthy()
  expect(screen.getByText('3,456, no budget')).toBeTruthy()
})

test('a simulated model is labelled', async () => {
  const items = [provider({ name: 'simulated' })]
  await shown({ 'GET /api/providers': { worker: 'simulated/simulated', auditor: 'builtin', items } })
  expect(await panel('Providers').findAllByText('Simulated', { selector: '[title]' })).toHaveLength(2)
})

test('changed groups are open, default groups are closed, and a search opens the matches', async () => {
  const { place } = await shown()
  const isOpen = () =>
    [...document.querySelectorAll('details')]
      .filter((group) => /settings?,/.test(group.textContent ?? ''))
      .map((group) => [group.querySelector('summary span')?.textContent, group.open])
  await screen.findByText('limits.request_timeout_ms')
  expect(isOpen()).toEqual([
    ['server', true],
    ['providers', true],
    ['limits', false],
  ])
  await user.type(screen.getByLabelText('Search the configuration'), 'timeout')
  await waitFor(() => expect(isOpen()).toEqual([['limits', true]]))
  expect(place.history.at(-1)).toContain('q=timeout')
})

test('the theme can be chosen, or follow the system', async () => {
  await shown()
  await user.selectOptions(screen.getByLabelText('Theme'), 'dark')
  expect(document.documentElement.dataset.theme).toBe('dark')
  await user.selectOptions(screen.getByLabelText('Theme'), 'system')
  expect(localStorage.length).toBe(0)
  expect(screen.getByLabelText<HTMLSelectElement>('Theme').value).toBe('system')
})

test('a local user may sign in with a key; a user with a session is not offered it', async () => {
  const { unmount } = await shown()
  expect(screen.getByText('Sign in with a key')).toBeDefined()
  unmount()
  await shown({ 'GET /api/session': { ...LOCAL, name: 'Ana', csrf: 'token' } })
  expect(screen.queryByText('Sign in with a key')).toBeNull()
})

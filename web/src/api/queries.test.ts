import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { newQueryClient } from './queries.ts'
import { sessionQuery } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

test('if every request is refused, the session is requested only once', async () => {
  // A delayed response, so that an endless loop of requests fails the test instead of blocking it.
  const refused = () => new Promise((done) => setTimeout(() => done(Response.json({}, { status: 401 })), 1))
  const fetching = vi.fn(refused)
  vi.stubGlobal('fetch', fetching)
  const queries = newQueryClient()
  const stop = new QueryObserver(queries, { ...sessionQuery, retry: false }).subscribe(() => undefined)
  await vi.waitFor(() => expect(queries.getQueryState(sessionQuery.queryKey)?.status).toBe('error'))
  await new Promise((done) => setTimeout(done, 50))
  expect(fetching).toHaveBeenCalledTimes(1)
  stop()
})

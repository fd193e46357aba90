import { QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { newQueryClient } from './queries.ts'
import { sessionQuery } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

test('where everything is refused, who is looking is not asked for ever', async () => {
  // An answer that takes its time, so that asking without end is seen instead of waited for.
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

// The query cache: how long results are kept, how often requests are retried, and what happens when one is refused.
import { hashKey, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { Problem } from './problem.ts'
import { sessionQuery } from './session.ts'

const RETRIES = 2

export function newQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (problem, { queryKey }) => isUnauthenticated(problem) && !isSession(queryKey) && refetchSession(queries),
    }),
    mutationCache: new MutationCache({ onError: (problem) => isRefused(problem) && refetchSession(queries) }),
    defaultOptions: {
      queries: {
        // Live messages announce changes, so refetching on focus would only make the page flicker.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, problem) => failures < RETRIES && isRetryable(problem),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
      },
      mutations: { retry: false },
    },
  })
  return queries
}

function isUnauthenticated(problem: Error): boolean {
  return problem instanceof Problem && problem.status === 401
}

/** A 403 can also mean that another tab has signed in since, so that this tab's CSRF token is outdated. */
function isRefused(problem: Error): boolean {
  return isUnauthenticated(problem) || (problem instanceof Problem && problem.status === 403)
}

/** A proxy may refuse even the session request. Refetching the session on that would loop for ever. */
function isSession(key: QueryKey): boolean {
  return hashKey(key) === hashKey(sessionQuery.queryKey)
}

/** The key may have been revoked or the session may have ended. The result decides whether the sign-in page is shown. */
function refetchSession(queries: QueryClient) {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

/** Whether a retry could help. */
function isRetryable(problem: Error): boolean {
  return problem instanceof Problem && problem.kind !== 'refused'
}

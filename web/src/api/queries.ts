// How long answers are kept and how often failed questions are asked again, for every page.
import { hashKey, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { Problem } from './problem.ts'
import { sessionQuery } from './session.ts'

const RETRIES = 2

export function newQueryClient(): QueryClient {
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError: (problem, { queryKey }) => isStranger(problem) && !isSession(queryKey) && askWhoIsLooking(queries),
    }),
    mutationCache: new MutationCache({ onError: (problem) => isNotAdmitted(problem) && askWhoIsLooking(queries) }),
    defaultOptions: {
      queries: {
        // Live messages say when something changed; asking again on focus would only make the page flicker.
        staleTime: 30_000,
        refetchOnWindowFocus: false,
        retry: (failures, problem) => failures < RETRIES && isPassing(problem),
        retryDelay: (attempt) => Math.min(500 * 2 ** attempt, 4_000),
      },
      mutations: { retry: false },
    },
  })
  return queries
}

function isStranger(problem: Error): boolean {
  return problem instanceof Problem && problem.status === 401
}

/** A change is also refused when another tab has signed in since: the token of this one is then the old one. */
function isNotAdmitted(problem: Error): boolean {
  return isStranger(problem) || (problem instanceof Problem && problem.status === 403)
}

/** Something in front of the server may refuse even this; asking again for that reason would never end. */
function isSession(key: QueryKey): boolean {
  return hashKey(key) === hashKey(sessionQuery.queryKey)
}

/** The key was revoked or the session has ended: the answer decides between the page and the sign-in. */
function askWhoIsLooking(queries: QueryClient) {
  void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
}

/** Whether asking again could help. */
function isPassing(problem: Error): boolean {
  return problem instanceof Problem && problem.kind !== 'refused'
}

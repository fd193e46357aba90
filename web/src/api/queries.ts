// How long answers are kept and how often failed questions are asked again, for every page.
import { QueryClient } from '@tanstack/react-query'
import { Problem } from './problem.ts'

const RETRIES = 2

export function newQueryClient(): QueryClient {
  return new QueryClient({
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
}

/** Whether asking again could help. */
function isPassing(problem: Error): boolean {
  return problem instanceof Problem && problem.kind !== 'refused'
}

// The requests of the agents page.
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

export type Minute = Schemas['AgentMinute']
export type AgentStatus = Schemas['AgentStatus']
export type DeadLetter = Schemas['DeadLetter']

/** Heartbeats and counts change every few seconds, but only starts, stops and dead letters are sent live. */
const AGENTS_REFETCH_MS = 5_000
const REPLAYS_REFETCH_MS = 1_000
const ITEMS_MAX = 500

const AGENTS = ['agents']
export const LETTERS = ['dead-letters']

export interface AgentsSnapshot {
  agents: AgentStatus[]
  /** The server's clock at the response, so that ages don't depend on this machine's clock. */
  answeredAtMs: number
}

export const agentsQuery = queryOptions({
  queryKey: AGENTS,
  refetchInterval: AGENTS_REFETCH_MS,
  queryFn: async ({ signal }): Promise<AgentsSnapshot> => {
    const asking = api.GET('/api/agents', { params: { query: { limit: ITEMS_MAX } }, signal })
    const { items } = await take(asking)
    const date = Date.parse((await asking).response.headers.get('date') ?? '')
    return { agents: items, answeredAtMs: Number.isNaN(date) ? Date.now() : date }
  },
})

export function useSetPaused(name: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (paused: boolean) => {
      const params = { path: { name } }
      return take(
        paused ? api.POST('/api/agents/{name}/pause', { params }) : api.POST('/api/agents/{name}/resume', { params }),
      )
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: AGENTS }),
  })
}

export function lettersQuery(state: string | null) {
  return infiniteQueryOptions({
    queryKey: [...LETTERS, 'list', state],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const query = { ...(state && { state }), ...(pageParam && { after: pageParam }) }
      return take(api.GET('/api/dead-letters', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? null,
  })
}

/** Dead letters in any state, to follow those that were replayed from this page. */
export function watchedQuery(isWatching: (letters: DeadLetter[]) => boolean) {
  return queryOptions({
    queryKey: [...LETTERS, 'watched'],
    queryFn: async ({ signal }) =>
      (await take(api.GET('/api/dead-letters', { params: { query: { limit: ITEMS_MAX } }, signal }))).items,
    refetchInterval: ({ state }) => isWatching(state.data ?? []) && REPLAYS_REFETCH_MS,
    staleTime: 0,
  })
}

export function useReplay() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: DeadLetter) => take(api.POST('/api/dead-letters/{id}/replay', { params: { path: { id } } })),
    onSettled: () => queries.invalidateQueries({ queryKey: LETTERS }),
  })
}

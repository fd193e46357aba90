// What the agents' page asks the server, and what it may change there.
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

export type Minute = Schemas['AgentMinute']
export type AgentStatus = Schemas['AgentStatus']
export type DeadLetter = Schemas['DeadLetter']

/** Agents beat in seconds, and only starts, stops and dead letters are told live. */
const LOOK_EVERY_MS = 5_000
const WATCH_EVERY_MS = 1_000
const LETTERS_MAX = 500

const AGENTS = ['agents']
export const LETTERS = ['dead-letters']

export interface AgentsSeen {
  agents: AgentStatus[]
  /** The server's clock when it answered: ages must not depend on this machine's. */
  answeredAtMs: number
}

export const agentsQuery = queryOptions({
  queryKey: AGENTS,
  refetchInterval: LOOK_EVERY_MS,
  queryFn: async ({ signal }): Promise<AgentsSeen> => {
    const asking = api.GET('/api/agents', { params: { query: { limit: LETTERS_MAX } }, signal })
    const { items } = await take(asking)
    const date = Date.parse((await asking).response.headers.get('date') ?? '')
    return { agents: items, answeredAtMs: Number.isNaN(date) ? Date.now() : date }
  },
})

export function useSwitch(name: string) {
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

/** All of them, whatever their state: to see what became of those that were replayed from this page. */
export function watchedQuery(isWatching: (letters: DeadLetter[]) => boolean) {
  return queryOptions({
    queryKey: [...LETTERS, 'watched'],
    queryFn: async ({ signal }) =>
      (await take(api.GET('/api/dead-letters', { params: { query: { limit: LETTERS_MAX } }, signal }))).items,
    refetchInterval: ({ state }) => isWatching(state.data ?? []) && WATCH_EVERY_MS,
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

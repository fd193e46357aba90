// The requests of the ledger pages.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

export type StoredEvent = Schemas['StoredEvent']
export type Chain = Schemas['Chain']

export type Leaf = Schemas['LeafHeader']
/** Contains the exact stored texts of the body, or null if they were erased. */
export type WholeLeaf = Schemas['Leaf']

/** The server's limit for one request. */
export const LEAVES_MAX = 1_000
const EVENTS_PER_PAGE = 50
/** Events never change. */
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY }

export const keyQuery = queryOptions({
  queryKey: ['ledger', 'key'],
  ...NEVER_STALE,
  queryFn: ({ signal }) => take(api.GET('/api/ledger/key', { parseAs: 'text', signal })),
})

/** The state of witnesses changes without an event. */
const WITNESSES_REFETCH_MS = 5_000

export const witnessesQuery = queryOptions({
  queryKey: ['ledger', 'witnesses'],
  refetchInterval: WITNESSES_REFETCH_MS,
  queryFn: ({ signal }) => take(api.GET('/api/ledger/witnesses', { signal })),
})

export async function readLeaves(from: number, limit: number, signal?: AbortSignal): Promise<Leaf[]> {
  const params = { query: { from, limit: Math.min(limit, LEAVES_MAX) } }
  return (await take(api.GET('/api/ledger/leaves', { params, ...(signal && { signal }) }))).items
}

export function leafQuery(index: number) {
  return queryOptions({
    queryKey: ['ledger', 'leaf', index],
    // A body may be erased later.
    staleTime: 60_000,
    queryFn: ({ signal }) => take(api.GET('/api/ledger/leaf/{index}', { params: { path: { index } }, signal })),
  })
}

/** A row of the list, with the fields of a leaf's header. */
export type EventRow = Pick<
  StoredEvent,
  'seq' | 'event_id' | 'event_type' | 'recorded_at' | 'producer' | 'correlation_id'
>

/** Reads backwards from `size`, newest first. The rows need only headers, which are read by position. */
export function newestQuery(size: number) {
  return infiniteQueryOptions({
    queryKey: ['ledger', 'newest', size],
    ...NEVER_STALE,
    initialPageParam: size,
    queryFn: async ({ signal, pageParam: end }): Promise<EventRow[]> => {
      const from = Math.max(0, end - EVENTS_PER_PAGE)
      if (end === 0) return []
      const leaves = await readLeaves(from, end - from, signal)
      return leaves.map(({ header }) => JSON.parse(header) as EventRow).reverse()
    },
    getNextPageParam: (_rows, _pages, end) => (end > EVENTS_PER_PAGE ? end - EVENTS_PER_PAGE : null),
  })
}

export interface EventFilter {
  types: string[]
  correlation: string | null
}

export function eventsQuery({ types, correlation }: EventFilter) {
  return infiniteQueryOptions({
    queryKey: ['events', types, correlation],
    initialPageParam: null as string | null,
    queryFn: ({ signal, pageParam }) => {
      const query = {
        limit: EVENTS_PER_PAGE,
        ...(types.length > 0 && { type: types }),
        ...(correlation && { correlation_id: correlation }),
        ...(pageParam && { after: pageParam }),
      }
      return take(api.GET('/api/events', { params: { query }, signal }))
    },
    getNextPageParam: ({ next }) => next ?? null,
  })
}

export function eventQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id],
    staleTime: 60_000,
    queryFn: ({ signal }) => take(api.GET('/api/events/{id}', { params: { path: { id } }, signal })),
  })
}

export function chainQuery(id: string) {
  return queryOptions({
    queryKey: ['event', id, 'chain'],
    queryFn: ({ signal }) => take(api.GET('/api/events/{id}/chain', { params: { path: { id } }, signal })),
  })
}

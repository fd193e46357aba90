// The requests of the settings page.
import { infiniteQueryOptions, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

export type Setting = Schemas['Setting']
export type Provider = Schemas['Provider']
export type Rule = Schemas['DetectionRule']
export type Key = Schemas['Key']

/** Call counts change constantly and are not sent live. */
const PROVIDERS_REFETCH_MS = 5_000
const KEYS = ['keys']

export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: async ({ signal }) => (await take(api.GET('/api/config', { signal }))).settings,
})

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  refetchInterval: PROVIDERS_REFETCH_MS,
  queryFn: ({ signal }) => take(api.GET('/api/providers', { signal })),
})

export const rulesQuery = queryOptions({
  queryKey: ['rules'],
  queryFn: ({ signal }) => take(api.GET('/api/rules', { signal })),
})

export const keysQuery = infiniteQueryOptions({
  queryKey: KEYS,
  initialPageParam: null as string | null,
  queryFn: ({ signal, pageParam }) =>
    take(api.GET('/api/keys', { params: { query: pageParam ? { after: pageParam } : {} }, signal })),
  getNextPageParam: ({ next }) => next ?? null,
})

/** The response contains the key itself, so it is not kept in the cache. */
export function useCreateKey() {
  const queries = useQueryClient()
  return useMutation({
    gcTime: 0,
    mutationFn: (body: Schemas['NewKey']) => take(api.POST('/api/keys', { body })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  })
}

export function useRevokeKey() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => take(api.DELETE('/api/keys/{id}', { params: { path: { id } } })),
    onSuccess: () => queries.invalidateQueries({ queryKey: KEYS }),
  })
}

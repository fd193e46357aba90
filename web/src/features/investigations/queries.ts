// What one investigation's page asks for and changes.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

const path = (id: string) => ({ params: { path: { id } } })

/** The newest of a customer's transactions that the chart looks back on. */
export const TRANSACTIONS_MAX = 500
const RELATED_MAX = 20

export const investigationQuery = (id: string) =>
  queryOptions({
    queryKey: ['investigation', id],
    queryFn: ({ signal }) => take(api.GET('/api/investigations/{id}', { ...path(id), signal })),
  })

export const transactionsQuery = (userId: string) =>
  queryOptions({
    queryKey: ['customer', userId, 'transactions'],
    queryFn: ({ signal }) => {
      const query = { user_id: userId, limit: TRANSACTIONS_MAX }
      return take(api.GET('/api/transactions', { params: { query }, signal }))
    },
  })

export const relatedQuery = (userId: string) =>
  queryOptions({
    queryKey: ['customer', userId, 'alerts'],
    queryFn: ({ signal }) => {
      const query = { user_id: userId, limit: RELATED_MAX }
      return take(api.GET('/api/alerts', { params: { query }, signal }))
    },
  })

/** The same key and content as the reader's own question. */
export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id],
    queryFn: ({ signal }) => take(api.GET('/api/reports/{id}', { ...path(id), signal })),
  })

export function assign(id: string, to: string | null): Promise<Schemas['InvestigationRow']> {
  return take(api.POST('/api/investigations/{id}/assign', { ...path(id), body: { to } }))
}

export function askForReview(id: string, reason: string): Promise<Schemas['Requested']> {
  const body = reason.trim() === '' ? {} : { reason }
  return take(api.POST('/api/investigations/{id}/supervisor-review', { ...path(id), body }))
}

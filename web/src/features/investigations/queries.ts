// The requests of the investigation page.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

type Case = Pick<Schemas['Investigation'], 'investigation_id' | 'user_id'>

const path = (id: string) => ({ params: { path: { id } } })

/** The chart shows this many of the customer's newest transactions. */
export const TRANSACTIONS_MAX = 500
const RELATED_MAX = 20

export const investigationQuery = (id: string) =>
  queryOptions({
    queryKey: ['investigation', id],
    queryFn: ({ signal }) => take(api.GET('/api/investigations/{id}', { ...path(id), signal })),
  })

/** Requested by investigation id, because some roles see only a masked customer id. */
export const transactionsQuery = ({ investigation_id, user_id }: Case) =>
  queryOptions({
    queryKey: ['customer', user_id, 'transactions', investigation_id],
    queryFn: ({ signal }) => {
      const query = { investigation_id, limit: TRANSACTIONS_MAX }
      return take(api.GET('/api/transactions', { params: { query }, signal }))
    },
  })

export const relatedQuery = ({ investigation_id, user_id }: Case) =>
  queryOptions({
    queryKey: ['customer', user_id, 'alerts', investigation_id],
    queryFn: ({ signal }) => {
      const query = { investigation_id, limit: RELATED_MAX }
      return take(api.GET('/api/alerts', { params: { query }, signal }))
    },
  })

/** Shares its key and result with the report page's own query. */
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

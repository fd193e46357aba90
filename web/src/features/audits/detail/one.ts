// One answer, audited or on its way to it.
import { queryOptions } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'
import type { AuditLog } from '../log.ts'

/** An answer whose audit is still to come, or that never came to be. */
export interface OpenLog {
  id: string
  status: string
  query?: string
  response?: string
  detail?: string
  created_at: string
}

const PENDING_MS = 1_500

export function isAudited(log: AuditLog | OpenLog): log is AuditLog {
  return 'audit' in log
}

export function logQuery(id: string) {
  return queryOptions({
    queryKey: ['logs', 'one', id],
    queryFn: async ({ signal }): Promise<AuditLog | OpenLog> => {
      const log: unknown = await take(api.GET('/api/logs/{id}', { params: { path: { id } }, signal }))
      return log as AuditLog | OpenLog
    },
    refetchInterval: ({ state }) => (state.data?.status === 'Pending' ? PENDING_MS : false),
  })
}

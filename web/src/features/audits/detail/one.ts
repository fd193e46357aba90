// One answer, audited or not.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'
import { type AuditLog, withPosition } from '../log.ts'

/** An answer without an audit: pending, failed, refused, cancelled or interrupted. */
export type OpenLog = Schemas['OpenLog']

const PENDING_MS = 1_500

export function isAudited(log: AuditLog | OpenLog): log is AuditLog {
  return 'audit' in log
}

export function logQuery(id: string) {
  return queryOptions({
    queryKey: ['logs', 'one', id],
    queryFn: async ({ signal }): Promise<AuditLog | OpenLog> => {
      const log = await take(api.GET('/api/logs/{id}', { params: { path: { id } }, signal }))
      return 'audit' in log ? withPosition(log) : log
    },
    refetchInterval: ({ state }) => (state.data?.status === 'Pending' ? PENDING_MS : false),
  })
}

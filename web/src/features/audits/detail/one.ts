// One answer, audited or on its way to it.
import { queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'
import { type AuditLog, placed } from '../log.ts'

/** An answer whose audit is still to come, or that never came to be. */
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
      return 'audit' in log ? placed(log) : log
    },
    refetchInterval: ({ state }) => (state.data?.status === 'Pending' ? PENDING_MS : false),
  })
}

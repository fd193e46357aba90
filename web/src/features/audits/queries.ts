// The requests of the live page, and where their results are cached.
import { queryOptions } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'
import { type Filters, isLocal, matches, toQuery } from './filters.ts'
import { type AuditLog, withPosition } from './log.ts'
import type { Recent } from './recent.ts'
import { below, type PageStart, type RowPage, type Rows, withNew } from './rows.ts'

const PAGE_ROWS = 200

export const rowsKey = (filters: Filters) => ['logs', 'rows', filters] as const

/** The newest rows. Live rows and further pages are added in the cache, so the query never refetches by itself. */
export function rowsQuery(filters: Filters, recent: Recent) {
  return queryOptions({
    queryKey: rowsKey(filters),
    queryFn: async ({ signal }): Promise<Rows> => {
      const mark = recent.mark()
      const rows: Rows = { pages: [await readPage(filters, null, signal)] }
      if (!isLocal(filters)) return rows
      return withNew(
        rows,
        recent.since(mark).filter((log) => matches(filters, log)),
      )
    },
    staleTime: 'static',
    // Live rows are not added while the list is not mounted, so a cached list would be stale.
    gcTime: 0,
    // Updates already share unchanged rows. A structural comparison of all rows would cost more than rendering them.
    structuralSharing: false,
  })
}

export async function readPage(filters: Filters, from: PageStart, signal?: AbortSignal): Promise<RowPage> {
  const start = from === null ? {} : 'after' in from ? { after: from.after } : { to: justAfter(from.below.created_at) }
  const query = { ...toQuery(filters), ...start, limit: PAGE_ROWS }
  const page = await take(api.GET('/api/logs', { params: { query }, ...(signal && { signal }) }))
  const items = page.items.map(withPosition)
  return {
    items: from !== null && 'below' in from ? below(from.below, items) : items,
    next: typeof page.next === 'string' ? { after: page.next } : null,
    partial: page.partial,
  }
}

export async function readLog(id: string, signal?: AbortSignal): Promise<AuditLog> {
  const log = await take(api.GET('/api/logs/{id}', { params: { path: { id } }, ...(signal && { signal }) }))
  if (!('audit' in log)) throw new Error('its audit is not finished yet')
  return withPosition(log)
}

/** `to` is exclusive, and other rows may share the same time, so one microsecond is added. */
function justAfter(createdAt: string): string {
  const [, seconds = createdAt, micros = '0'] = /^(.*)\.(\d{6})Z$/.exec(createdAt) ?? []
  const next = Number(micros) + 1
  if (next < 1_000_000) return `${seconds}.${String(next).padStart(6, '0')}Z`
  return new Date(Date.parse(createdAt) + 1).toISOString()
}

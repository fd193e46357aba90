// What this page asks the server for, and where the answers are kept.
import { queryOptions } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'
import { asked, canJudge, type Filters, matches } from './filters.ts'
import { type AuditLog, placed } from './log.ts'
import type { Recent } from './recent.ts'
import { below, type Place, type RowPage, type Rows, withNew } from './rows.ts'

const PAGE_ROWS = 200

export const rowsKey = (filters: Filters) => ['logs', 'rows', filters] as const

/** The newest rows. Live rows and further pages are added to them in the cache, so it is never read again by itself. */
export function rowsQuery(filters: Filters, recent: Recent) {
  return queryOptions({
    queryKey: rowsKey(filters),
    queryFn: async ({ signal }): Promise<Rows> => {
      const mark = recent.mark()
      const rows: Rows = { pages: [await readPage(filters, null, signal)] }
      if (!canJudge(filters)) return rows
      return withNew(
        rows,
        recent.since(mark).filter((log) => matches(filters, log)),
      )
    },
    staleTime: 'static',
    // Nobody adds live rows to it while it is not shown.
    gcTime: 0,
    // The rows are made anew where they differ, and nowhere else; comparing all of them would cost more than drawing them.
    structuralSharing: false,
  })
}

export async function readPage(filters: Filters, from: Place, signal?: AbortSignal): Promise<RowPage> {
  const place = from === null ? {} : 'after' in from ? { after: from.after } : { to: justAfter(from.below.created_at) }
  const query = { ...asked(filters), ...place, limit: PAGE_ROWS }
  const page = await take(api.GET('/api/logs', { params: { query }, ...(signal && { signal }) }))
  const items = page.items.map(placed)
  return {
    items: from !== null && 'below' in from ? below(from.below, items) : items,
    next: typeof page.next === 'string' ? { after: page.next } : null,
    partial: page.partial,
  }
}

export async function readLog(id: string, signal?: AbortSignal): Promise<AuditLog> {
  const log = await take(api.GET('/api/logs/{id}', { params: { path: { id } }, ...(signal && { signal }) }))
  if (!('audit' in log)) throw new Error('its audit is still to come')
  return placed(log)
}

/** `to` excludes its own instant, in which other rows may stand too. */
function justAfter(createdAt: string): string {
  const [, seconds = createdAt, micros = '0'] = /^(.*)\.(\d{6})Z$/.exec(createdAt) ?? []
  const next = Number(micros) + 1
  if (next < 1_000_000) return `${seconds}.${String(next).padStart(6, '0')}Z`
  return new Date(Date.parse(createdAt) + 1).toISOString()
}

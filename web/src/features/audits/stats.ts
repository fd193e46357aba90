// Totals over the rows: counted by the server and updated locally with each live row, so that they are exact at once.
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'
import { type Filters, isLocal, matches, toQuery } from './filters.ts'
import type { AuditLog, Status } from './log.ts'
import type { Recent } from './recent.ts'

export type Counts = Schemas['Stats']

export type Range = 'hour' | 'day' | 'all'
type Bucket = 'minute' | 'hour'

const HOUR_MS = 3_600_000
export const SPANS: Record<Range, { bucket: Bucket; bucketMs: number; spanMs: number | null }> = {
  hour: { bucket: 'minute', bucketMs: 60_000, spanMs: HOUR_MS },
  day: { bucket: 'hour', bucketMs: HOUR_MS, spanMs: 24 * HOUR_MS },
  all: { bucket: 'hour', bucketMs: HOUR_MS, spanMs: null },
}

const STATS = ['logs', 'stats'] as const

type Key = readonly [...typeof STATS, Filters, Range | null]

/** `range` requests the trend over that time. Without it, all rows that match the filters are counted. */
export function statsQuery(filters: Filters, range: Range | null, recent: Recent) {
  return queryOptions({
    queryKey: [...STATS, filters, range] as Key,
    queryFn: async ({ signal }): Promise<Counts> => {
      const mark = recent.mark()
      const query = { ...toQuery(filters), ...(range !== null && trendQuery(filters, range)) }
      const counts: Counts = await take(api.GET('/api/logs/stats', { params: { query }, signal }))
      return isLocal(filters) ? counted(counts, recent.since(mark), filters, range) : counts
    },
    // The old numbers stay until the new ones arrive, so that nothing jumps.
    placeholderData: keepPreviousData,
  })
}

/** Adds these rows to all cached counts. Returns false if some could not be updated and must be requested. */
export function addToStats(queries: QueryClient, logs: readonly AuditLog[]): boolean {
  let isExact = true
  for (const query of queries.getQueryCache().findAll({ queryKey: STATS })) {
    const [, , filters, range] = query.queryKey as Key
    const counts = query.state.data as Counts | undefined
    if (counts === undefined) continue
    if (!isLocal(filters)) isExact = false
    else query.setData(counted(counts, logs, filters, range))
  }
  return isExact
}

export function refetchStats(queries: QueryClient) {
  void queries.invalidateQueries({ queryKey: STATS })
}

/** Adds the rows that are not counted yet and match the filters. */
export function counted(counts: Counts, logs: readonly AuditLog[], filters: Filters, range: Range | null): Counts {
  const { as_of } = counts
  const uncounted = logs.filter(({ seq }) => seq >= as_of)
  if (uncounted.length === 0) return counts
  const end = Math.max(...uncounted.map(({ seq }) => seq + 1))
  const matching = uncounted.filter((log) => matches(filters, log))
  return { ...counts, as_of: end, ...withTotals(counts, matching), trend: withTrend(counts.trend, matching, range) }
}

/** The exact mean, or 0 if there are no scores. */
export function mean(byScore: readonly number[]): number {
  const total = byScore.reduce((sum, count) => sum + count, 0)
  return total === 0 ? 0 : byScore.reduce((sum, count, score) => sum + count * score, 0) / total
}

function withTotals({ total, by_status, by_score }: Counts, logs: readonly AuditLog[]) {
  const scores = [...by_score]
  const statuses = { ...by_status }
  for (const { audit, status } of logs) {
    scores[audit.risk_score] = (scores[audit.risk_score] ?? 0) + 1
    if (status in statuses) statuses[status as Status] += 1
  }
  return { total: total + logs.length, by_status: statuses, by_score: scores, average_risk: mean(scores) }
}

function withTrend(trend: Counts['trend'], logs: readonly AuditLog[], range: Range | null): Counts['trend'] {
  if (range === null) return trend
  const points = new Map(trend.map((point) => [Date.parse(point.start), point]))
  for (const { created_at, audit, status } of logs) {
    const { bucketMs } = SPANS[range]
    const at = Math.floor(Date.parse(created_at) / bucketMs) * bucketMs
    const point = points.get(at) ?? emptyPoint(at)
    const total = point.total + 1
    const by_status = { ...point.by_status }
    if (status in by_status) by_status[status as Status] += 1
    const average_risk = (point.average_risk * point.total + audit.risk_score) / total
    points.set(at, { ...point, total, by_status, average_risk })
  }
  return [...points.entries()].sort(([a], [b]) => a - b).map(([, point]) => point)
}

function emptyPoint(at: number): Counts['trend'][number] {
  const by_status = { Safe: 0, Warning: 0, Flagged: 0 }
  return { start: new Date(at).toISOString(), total: 0, by_status, average_risk: 0 }
}

/** Requests the trend from the start of a bucket, and never from before the start of the filters. */
function trendQuery(filters: Filters, range: Range) {
  const { bucket, bucketMs, spanMs } = SPANS[range]
  if (spanMs === null) return { bucket }
  const begin = Math.floor((Date.now() - spanMs) / bucketMs) * bucketMs
  if (filters.from !== null && Date.parse(filters.from) > begin) return { bucket }
  return { bucket, from: new Date(begin).toISOString() }
}

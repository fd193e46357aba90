// The filters of the list. They live in the address, so that a view can be linked to, reloaded and gone back to.
import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import type { AuditLog, Status } from './log.ts'

export interface Filters {
  status: Status | null
  minScore: number | null
  maxScore: number | null
  q: string
  /** RFC 3339. */
  from: string | null
  to: string | null
}

export const NO_FILTERS: Filters = { status: null, minScore: null, maxScore: null, q: '', from: null, to: null }

const STATUSES: readonly string[] = ['Safe', 'Warning', 'Flagged'] satisfies Status[]
const NAMES = ['status', 'min_score', 'max_score', 'q', 'from', 'to'] as const

/** Invalid values in the address are ignored, so a mistyped link still shows rows. */
export function filtersOf(search: URLSearchParams): Filters {
  const status = search.get('status')
  return {
    status: status !== null && STATUSES.includes(status) ? (status as Status) : null,
    minScore: score(search.get('min_score')),
    maxScore: score(search.get('max_score')),
    q: search.get('q')?.trim() ?? '',
    from: time(search.get('from')),
    to: time(search.get('to')),
  }
}

/** The same search parameters with these filters; other parameters are kept. */
export function withFilters(search: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const name of NAMES) next.delete(name)
  for (const [name, value] of Object.entries(toQuery(filters))) next.set(name, String(value))
  return next
}

/** The filters as query parameters of the API. */
export function toQuery({ status, minScore, maxScore, q, from, to }: Filters) {
  return {
    ...(status !== null && { status }),
    ...(minScore !== null && { min_score: minScore }),
    ...(maxScore !== null && { max_score: maxScore }),
    ...(q !== '' && { q }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  }
}

export function isFiltered(filters: Filters): boolean {
  return Object.keys(toQuery(filters)).length > 0
}

/** Whether the page can apply the filters itself. Only the server can evaluate a full-text search. */
export function isLocal(filters: Filters): boolean {
  return filters.q === ''
}

export function matches({ status, minScore, maxScore, from, to }: Filters, log: AuditLog): boolean {
  const { risk_score } = log.audit
  const at = Date.parse(log.created_at)
  return (
    (status === null || log.status === status) &&
    risk_score >= (minScore ?? 0) &&
    risk_score <= (maxScore ?? 10) &&
    (from === null || at >= Date.parse(from)) &&
    (to === null || at < Date.parse(to))
  )
}

export function useFilters(): [Filters, (change: Partial<Filters>) => void] {
  const [search, setSearch] = useSearchParams()
  const filters = useMemo(() => filtersOf(search), [search])
  const change = useCallback(
    (change: Partial<Filters>) =>
      setSearch((now) => withFilters(now, { ...filtersOf(now), ...change }), { replace: true }),
    [setSearch],
  )
  return [filters, change]
}

function score(text: string | null): number | null {
  return text !== null && /^(\d|10)$/.test(text) ? Number(text) : null
}

function time(text: string | null): string | null {
  const isTime = text !== null && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/.test(text)
  return isTime && !Number.isNaN(Date.parse(text)) ? text : null
}

// The filter of the event list, kept in the address only.
import { useSearchParams } from 'wouter'
import type { EventFilter } from './queries.ts'

const TYPES_MAX = 64
const TYPE = /^[A-Za-z0-9_]{1,64}$/
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export interface Filter extends EventFilter {
  /** Newest first works only without a filter, because only the log itself can be read backwards. */
  isNewestFirst: boolean
}

export function isUuid(text: string): boolean {
  return UUID.test(text)
}

export function useFilter(): [filter: Filter, change: (next: Partial<Filter>) => void] {
  const [search, setSearch] = useSearchParams()
  const filter = read(search)
  return [filter, (next) => setSearch(write({ ...filter, ...next }), { replace: true })]
}

/** Reads the address. Values that the server would reject are left out. */
export function read(search: URLSearchParams): Filter {
  const types = [...new Set((search.get('type') ?? '').split(',').filter((type) => TYPE.test(type)))]
  const correlation = search.get('correlation')
  const filter = {
    types: types.slice(0, TYPES_MAX),
    correlation: correlation !== null && isUuid(correlation) ? correlation : null,
  }
  return { ...filter, isNewestFirst: !isFiltered(filter) && search.get('order') !== 'oldest' }
}

export function write(filter: Filter): URLSearchParams {
  const search = new URLSearchParams()
  if (filter.types.length > 0) search.set('type', filter.types.join(','))
  if (filter.correlation !== null) search.set('correlation', filter.correlation)
  if (!isFiltered(filter) && !filter.isNewestFirst) search.set('order', 'oldest')
  return search
}

export function isFiltered({ types, correlation }: EventFilter): boolean {
  return types.length > 0 || correlation !== null
}

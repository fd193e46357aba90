// The loaded rows as immutable pages, newest first and without duplicates. Adding rows replaces only the pages that they
// belong to, so the cost does not depend on how many rows are loaded.
import { type AuditLog, compare } from './log.ts'

/** Where the next page starts: at the server's cursor, or below a row if there is no cursor for it. `null` at the end. */
export type PageStart = { after: string } | { below: AuditLog } | null

export interface RowPage {
  items: AuditLog[]
  next: PageStart
  partial: boolean
}

export interface Rows {
  pages: readonly RowPage[]
}

/** The first page grows with live rows up to this size and is then split. */
const PAGE_ROWS_MAX = 500
/** Rows beyond this are dropped while the reader is at the top. */
const ROWS_KEPT_MAX = 5_000

export function countOf({ pages }: Rows): number {
  return pages.reduce((sum, { items }) => sum + items.length, 0)
}

/** The rows from `start` up to but not including `end`. */
export function slice({ pages }: Rows, start: number, end: number): AuditLog[] {
  const found: AuditLog[] = []
  let at = 0
  for (const { items } of pages) {
    if (at >= end) break
    if (at + items.length > start) found.push(...items.slice(Math.max(0, start - at), end - at))
    at += items.length
  }
  return found
}

export function indexOf({ pages }: Rows, id: string): number {
  let at = 0
  for (const { items } of pages) {
    const found = items.findIndex((log) => log.id === id)
    if (found >= 0) return at + found
    at += items.length
  }
  return -1
}

/** Inserts rows in order. Rows that are already loaded, or older than the last loaded row, are skipped. */
export function withNew(rows: Rows, logs: readonly AuditLog[]): Rows {
  const touched = new Map<number, AuditLog[]>()
  for (const log of notLoaded(rows, logs)) {
    const at = pageFor(rows.pages, log) ?? 0
    const added = touched.get(at)
    if (added === undefined) touched.set(at, [log])
    else added.push(log)
  }
  if (touched.size === 0) return rows
  const pages = [...rows.pages]
  for (const [at, added] of touched) pages[at] = merged(pages[at] as RowPage, added)
  return split({ pages })
}

/** Returns the rows that are not loaded yet and would not be skipped. */
export function notLoaded(rows: Rows | undefined, logs: readonly AuditLog[]): AuditLog[] {
  if (rows === undefined) return [...logs]
  return logs.filter((log) => {
    const at = pageFor(rows.pages, log)
    return at !== null && !contains(rows.pages[at] as RowPage, log)
  })
}

/** Drops pages from the end. They can be loaded again from the `next` of the last page kept. */
export function withoutTail(rows: Rows, rowsMax = ROWS_KEPT_MAX): Rows {
  let kept = rows.pages.length
  let count = countOf(rows)
  while (kept > 1 && count - (rows.pages[kept - 1] as RowPage).items.length >= rowsMax) {
    count -= (rows.pages[kept - 1] as RowPage).items.length
    kept -= 1
  }
  return kept === rows.pages.length ? rows : { pages: rows.pages.slice(0, kept) }
}

/** Appends a page. If the end of the list has changed since the page was requested, the page is dropped. */
export function withMore(rows: Rows, from: PageStart, page: RowPage): Rows {
  return rows.pages.at(-1)?.next === from ? { pages: [...rows.pages, page] } : rows
}

/**
 * Merges a freshly loaded first page. If it no longer overlaps the loaded rows, it replaces them, because the gap would be
 * invisible.
 */
export function withTop(rows: Rows, top: RowPage): Rows {
  const [newest] = rows.pages.flatMap(({ items }) => items.slice(0, 1))
  const oldest = top.items.at(-1)
  const isOverlapping = newest !== undefined && oldest !== undefined && compare(newest, oldest) <= 0
  return isOverlapping ? withNew(rows, top.items) : { pages: [top] }
}

/** Keeps the rows strictly below `log`, for pages requested without a cursor. */
export function below(log: AuditLog, items: AuditLog[]): AuditLog[] {
  return items.filter((item) => compare(log, item) < 0)
}

/** The page that a row belongs to: the first whose last row is older, or the last page if nothing follows it. */
function pageFor(pages: readonly RowPage[], log: AuditLog): number | null {
  for (const [at, { items }] of pages.entries()) {
    const last = items.at(-1)
    if (last !== undefined && compare(log, last) <= 0) return at
  }
  return pages.at(-1)?.next === null ? pages.length - 1 : null
}

function contains({ items }: RowPage, log: AuditLog): boolean {
  return items[position(items, log)]?.id === log.id
}

/** The index at which a row is, or would be inserted. */
function position(items: readonly AuditLog[], log: AuditLog): number {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(items[middle] as AuditLog, log) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function merged(page: RowPage, logs: readonly AuditLog[]): RowPage {
  const items: AuditLog[] = []
  let from = 0
  for (const log of [...logs].sort(compare)) {
    const at = position(page.items, log)
    if (page.items[at]?.id === log.id || items.at(-1)?.id === log.id) continue
    for (; from < at; from += 1) items.push(page.items[from] as AuditLog)
    items.push(log)
  }
  for (; from < page.items.length; from += 1) items.push(page.items[from] as AuditLog)
  return { ...page, items }
}

/** Splits a first page that grew too long. There is no server cursor for the cuts. */
function split(rows: Rows): Rows {
  const [first, ...others] = rows.pages
  if (first === undefined || first.items.length <= PAGE_ROWS_MAX) return rows
  // Cut from the bottom, so that the new first page has room to grow.
  const cuts: RowPage[] = [{ ...first, items: first.items.slice(-PAGE_ROWS_MAX) }]
  for (let end = first.items.length - PAGE_ROWS_MAX; end > 0; end -= PAGE_ROWS_MAX) {
    const items = first.items.slice(Math.max(0, end - PAGE_ROWS_MAX), end)
    cuts.unshift({ items, next: { below: items.at(-1) as AuditLog }, partial: false })
  }
  return { pages: [...cuts, ...others] }
}

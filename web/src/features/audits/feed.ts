// The live list: the rows that were loaded, new rows on top, and new rows held back while the list must not move.
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { LiveMessage } from '@/live/connection.ts'
import { useLive } from '@/live/live.tsx'
import { type Filters, isLocal, matches } from './filters.ts'
import { type AuditLog, liveLog } from './log.ts'
import { readPage, rowsKey, rowsQuery } from './queries.ts'
import type { Recent } from './recent.ts'
import { notLoaded, type PageStart, type Rows, withMore, withNew, withoutTail, withTop } from './rows.ts'
import { addToStats, refetchStats } from './stats.ts'
import { isAnyWaiting, NOTHING_WAITS, type Waiting, waitingWith } from './waiting.ts'

/** The shortest interval between two requests for a search, and for counts that can't be updated locally. */
const SEARCH_REFETCH_MS = 2_000
const COUNT_REFETCH_MS = 1_000
/** Counts are also refreshed at regular intervals, so that a page left open on a wall display can't stay wrong. */
const COUNT_REFRESH_MS = 30_000

export type Feed = ReturnType<typeof useFeed>

export function useFeed(filters: Filters, isHeld: boolean, recent: Recent) {
  const queries = useQueryClient()
  const rows = useQuery(rowsQuery(filters, recent))
  const more = useMore(filters)
  const [waiting, setWaiting] = useState<Waiting>(NOTHING_WAITS)
  const { refetch } = rows
  const latest = useRef({ filters, isHeld })
  latest.current = { filters, isHeld }

  const addRows = useCallback(
    (logs: readonly AuditLog[]) => {
      const { filters, isHeld } = latest.current
      if (isHeld) setWaiting((now) => waitingWith(now, notLoaded(rowsIn(queries, filters), logs)))
      else change(queries, filters, (rows) => withoutTail(withNew(rows, logs)))
    },
    [queries],
  )
  /** Adds a row that did not come over the live connection. While that is up, it delivers the row too, and counts it. */
  const addAnswer = useCallback(
    (log: AuditLog, isLive: boolean) => {
      const { filters } = latest.current
      if (isLocal(filters) && matches(filters, log)) addRows([log])
      if (!isLive) refetchStats(queries)
    },
    [addRows, queries],
  )
  const show = useCallback(() => {
    if (waiting.hasOverflowed) void refetch()
    else change(queries, latest.current.filters, (rows) => withoutTail(withNew(rows, waiting.logs)))
    setWaiting(NOTHING_WAITS)
  }, [queries, refetch, waiting])

  const searchAgain = useThrottled(SEARCH_REFETCH_MS, async () => {
    const { filters, isHeld } = latest.current
    const top = await readPage(filters, null).catch(() => null)
    if (top === null) return
    if (isHeld) setWaiting((now) => waitingWith(now, notLoaded(rowsIn(queries, filters), top.items)))
    else change(queries, filters, (rows) => withTop(rows, top))
  })
  const countAgain = useThrottled(COUNT_REFETCH_MS, () => refetchStats(queries))

  useLive(['log', 'resync'], (batch) => {
    const { logs, isResync } = parseBatch(batch)
    recent.push(logs)
    if (isResync && latest.current.isHeld) setWaiting({ logs: [], hasOverflowed: true })
    else if (isResync) void refetch()
    if (!addToStats(queries, logs)) countAgain()
    if (isLocal(filters)) addRows(logs.filter((log) => matches(filters, log)))
    else searchAgain()
  })
  useEffect(() => {
    const timer = setInterval(() => document.hidden || refetchStats(queries), COUNT_REFRESH_MS)
    return () => clearInterval(timer)
  }, [queries])
  // Other filters load the rows again, including those held back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the filters is the trigger.
  useEffect(() => setWaiting(NOTHING_WAITS), [filters])
  useEffect(() => {
    if (!isHeld && isAnyWaiting(waiting)) show()
  }, [isHeld, waiting, show])
  return { rows, more, waiting, show, addAnswer }
}

/** Loads the next page and appends it. */
function useMore(filters: Filters) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (from: PageStart) => {
      const page = await readPage(filters, from)
      change(queries, filters, (rows) => withMore(rows, from, page))
    },
  })
}

function parseBatch(batch: LiveMessage[]): { logs: AuditLog[]; isResync: boolean } {
  const resync = batch.findLastIndex(({ type }) => type === 'resync')
  const logs = batch.slice(resync + 1).map(({ data }) => liveLog(data))
  return { logs: logs.filter((log) => log !== null), isResync: resync >= 0 }
}

function rowsIn(queries: QueryClient, filters: Filters): Rows | undefined {
  return queries.getQueryData<Rows>(rowsKey(filters))
}

function change(queries: QueryClient, filters: Filters, update: (rows: Rows) => Rows) {
  queries.setQueryData<Rows>(rowsKey(filters), (rows) => rows && update(rows))
}

/** Runs `everyMs` after the first call. Calls in between are merged into that run. */
function useThrottled(everyMs: number, run: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const latest = useRef(run)
  latest.current = run
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      latest.current()
    }, everyMs)
  }, [everyMs])
}

// React bindings of the live connection: the provider, its state, subscriptions, and cache invalidation.
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import { type ConnectionState, LiveConnection, type LiveMessage } from './connection.ts'

const Context = createContext<LiveConnection | null>(null)

function address(): string {
  const url = new URL('/api/live', location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Keeps the connection open while it is mounted. */
export function LiveProvider({ children, connection }: { children: ReactNode; connection?: LiveConnection }) {
  const kept = useRef<LiveConnection | null>(null)
  kept.current ??= connection ?? new LiveConnection(address())
  const live = kept.current
  const queries = useQueryClient()
  const isReady = useSyncExternalStore(live.watchState, live.isReady)
  useEffect(() => {
    const stop = live.watch((batch) => {
      if (batch.some(({ type }) => type === 'resync')) void queries.invalidateQueries()
    })
    live.connect()
    return () => {
      stop()
      live.close()
    }
  }, [live, queries])
  // Pages load their lists only once live messages follow, so that no event is missed in between.
  return <Context value={live}>{isReady ? children : null}</Context>
}

export function useConnection(): ConnectionState & { reconnect: () => void } {
  const live = useLiveConnection()
  const state = useSyncExternalStore(live.watchState, live.state)
  return { ...state, reconnect: live.connect }
}

/** Calls `handle` with each batch of messages of these types. */
export function useLive(types: readonly LiveMessage['type'][], handle: (batch: LiveMessage[]) => void) {
  const live = useLiveConnection()
  const latest = useRef({ types, handle })
  latest.current = { types, handle }
  useEffect(
    () =>
      live.watch((batch) => {
        const { types, handle } = latest.current
        const ours = batch.filter(({ type }) => types.includes(type))
        if (ours.length > 0) handle(ours)
      }),
    [live],
  )
}

type MessageFilter = (message: LiveMessage) => boolean

/** Invalidates a query when messages of these types arrive, at most once in `everyMs`. */
export function useLiveInvalidation(
  types: readonly LiveMessage['type'][],
  key: QueryKey,
  everyMs = 1_000,
  concerns: MessageFilter = () => true,
) {
  const queries = useQueryClient()
  const pending = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  useEffect(() => () => clearTimeout(pending.current), [])
  useLive(types, (batch) => {
    if (!batch.some(concerns)) return
    pending.current ??= setTimeout(() => {
      pending.current = undefined
      void queries.invalidateQueries({ queryKey: key })
    }, everyMs)
  })
}

const ID_FIELDS = ['id', 'report_id', 'investigation_id', 'user_id']

/** Matches messages whose row carries one of these ids. A message without a row may concern any, so it matches. */
export function isAbout(...ids: string[]): MessageFilter {
  return ({ data }) => {
    if (typeof data !== 'object' || data === null) return true
    return ID_FIELDS.some((name) => ids.includes((data as { [name: string]: unknown })[name] as string))
  }
}

function useLiveConnection(): LiveConnection {
  const live = useContext(Context)
  if (live === null) throw new Error('used outside of LiveProvider')
  return live
}

// The live connection as pages see it: one for the whole page, its state, its messages, and what they make stale.
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useRef, useSyncExternalStore } from 'react'
import { type ConnectionState, LiveConnection, type LiveMessage } from './connection.ts'

const Context = createContext<LiveConnection | null>(null)

function address(): string {
  const url = new URL('/api/live', location.origin)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  return url.href
}

/** Opens the connection for as long as it is on the page. */
export function LiveProvider({ children, connection }: { children: ReactNode; connection?: LiveConnection }) {
  const held = useRef<LiveConnection | null>(null)
  held.current ??= connection ?? new LiveConnection(address())
  const live = held.current
  const queries = useQueryClient()
  const hasBegun = useSyncExternalStore(live.watchState, live.begun)
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
  // Pages read their lists once live messages follow, so that nothing falls between the two.
  return <Context value={live}>{hasBegun ? children : null}</Context>
}

export function useConnection(): ConnectionState & { reconnect: () => void } {
  const live = useLiveConnection()
  const state = useSyncExternalStore(live.watchState, live.state)
  return { ...state, reconnect: live.connect }
}

/** Calls `handle` with the messages of these types as they come. */
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

type Concerns = (message: LiveMessage) => boolean

/** Asks again for what these messages make stale, at most once in `everyMs`. */
export function useLiveInvalidation(
  types: readonly LiveMessage['type'][],
  key: QueryKey,
  everyMs = 1_000,
  concerns: Concerns = () => true,
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

const NAMES = ['id', 'report_id', 'investigation_id', 'user_id']

/** Whether a message is about one of these, by the ids that its row carries. One that carries no row may be about any. */
export function isAbout(...ids: string[]): Concerns {
  return ({ data }) => {
    if (typeof data !== 'object' || data === null) return true
    return NAMES.some((name) => ids.includes((data as { [name: string]: unknown })[name] as string))
  }
}

function useLiveConnection(): LiveConnection {
  const live = useContext(Context)
  if (live === null) throw new Error('outside of LiveProvider')
  return live
}

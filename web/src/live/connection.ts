// The live connection: one WebSocket that mends itself. It remembers the cursor of the last message, so that after a
// break the server first sends what was missed.
import type { Schemas } from '@/api/client.ts'

export type LiveMessage = Schemas['LiveMessage']

export type ConnectionState =
  | { state: 'connecting'; failures: number }
  | { state: 'connected'; failures: 0 }
  /** Not connected; it will try again by itself at `retryAt`. */
  | { state: 'disconnected'; failures: number; retryAt: number }
  /** The server refuses this session: trying again would not help. */
  | { state: 'refused'; failures: number }

export interface Seams {
  open(url: string): WebSocket
  random(): number
  now(): number
}

const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 30_000
/** The server speaks at least every 15 s; a connection that is silent for longer than this is dead. */
const SILENCE_MS_MAX = 45_000
/** Messages wait this long to be handed over together: 200 rows a second must not be 200 renderings. */
const BATCH_MS = 100
/** A tab whose timers are slowed down must not pile up messages: past this it starts afresh instead. */
const BATCH_MESSAGES_MAX = 5_000
const NOT_ADMITTED = 1008

const SYSTEM: Seams = { open: (url) => new WebSocket(url), random: Math.random, now: Date.now }

export class LiveConnection {
  #seams: Seams
  #url: string
  #socket: WebSocket | null = null
  #cursor: string | null = null
  #begun = false
  #state: ConnectionState = { state: 'connecting', failures: 0 }
  #batch: LiveMessage[] = []
  #timers: { retry?: Timer | undefined; batch?: Timer | undefined; silence?: Timer | undefined } = {}
  #onState = new Set<() => void>()
  #onBatch = new Set<(batch: LiveMessage[]) => void>()

  constructor(url: string, seams: Seams = SYSTEM) {
    this.#url = url
    this.#seams = seams
  }

  state = (): ConnectionState => this.#state

  watchState = (listener: () => void): (() => void) => {
    this.#onState.add(listener)
    return () => this.#onState.delete(listener)
  }

  /** Whether what is read from now on can't miss anything: live messages follow, or it is known that they don't. */
  begun = (): boolean => this.#begun

  /** Messages in the order of the log, at most one for each event, several at a time. */
  watch = (listener: (batch: LiveMessage[]) => void): (() => void) => {
    this.#onBatch.add(listener)
    return () => this.#onBatch.delete(listener)
  }

  /** Connects, now: also what the button for it does. */
  connect = () => {
    this.#drop()
    this.#become({ state: 'connecting', failures: this.#state.failures })
    const after = this.#cursor === null ? '' : `?after=${encodeURIComponent(this.#cursor)}`
    const socket = this.#seams.open(this.#url + after)
    this.#socket = socket
    socket.onopen = () => {
      this.#become({ state: 'connected', failures: 0 })
      this.#expectNews()
    }
    socket.onmessage = ({ data }) => this.#take(data)
    socket.onerror = () => console.warn('the live connection failed')
    socket.onclose = ({ code }) => this.#lost(code)
    this.#expectNews()
  }

  close = () => {
    this.#drop()
    clearTimeout(this.#timers.batch)
    this.#batch = []
  }

  #take(data: unknown) {
    this.#expectNews()
    const message = parse(data)
    if (message === null) {
      console.warn('a live message could not be read')
      return
    }
    // Starting from now after pages were read without a connection: what happened in between was not told.
    if (this.#cursor === null && this.#begun) message.type = 'resync'
    this.#cursor = message.cursor
    this.#begin()
    if (this.#batch.length >= BATCH_MESSAGES_MAX) this.#batch = [{ type: 'resync', cursor: message.cursor }]
    this.#batch.push(message)
    this.#timers.batch ??= setTimeout(this.#handOver, BATCH_MS)
  }

  #handOver = () => {
    this.#timers.batch = undefined
    const batch = this.#batch
    this.#batch = []
    for (const listener of this.#onBatch) listener(batch)
  }

  #lost(code: number) {
    this.#drop()
    this.#begin()
    const failures = this.#state.failures + 1
    if (code === NOT_ADMITTED) {
      this.#become({ state: 'refused', failures })
      return
    }
    const wait = backoffMs(failures, this.#seams.random())
    this.#become({ state: 'disconnected', failures, retryAt: this.#seams.now() + wait })
    this.#timers.retry = setTimeout(this.connect, wait)
  }

  #expectNews() {
    clearTimeout(this.#timers.silence)
    this.#timers.silence = setTimeout(() => this.#lost(0), SILENCE_MS_MAX)
  }

  #begin() {
    if (this.#begun) return
    this.#begun = true
    for (const listener of this.#onState) listener()
  }

  /** Lets go of the socket without being told of its end. */
  #drop() {
    clearTimeout(this.#timers.retry)
    clearTimeout(this.#timers.silence)
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return
    socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null
    socket.close()
  }

  #become(state: ConnectionState) {
    this.#state = state
    for (const listener of this.#onState) listener()
  }
}

type Timer = ReturnType<typeof setTimeout>

/** Doubles with each failure, up to half a minute, and is spread so that a thousand pages don't come back at once. */
export function backoffMs(failures: number, random: number): number {
  const longest = Math.min(BACKOFF_MS * 2 ** (failures - 1), BACKOFF_MS_MAX)
  return longest * (0.5 + random / 2)
}

function parse(data: unknown): LiveMessage | null {
  if (typeof data !== 'string') return null
  try {
    const message = JSON.parse(data) as Partial<LiveMessage> | null
    return typeof message?.type === 'string' && typeof message.cursor === 'string' ? (message as LiveMessage) : null
  } catch {
    return null
  }
}

// The live connection: a WebSocket that reconnects by itself. It remembers the cursor of the last message, so that after an
// interruption the server first sends the missed messages.
import type { Schemas } from '@/api/client.ts'

export type LiveMessage = Schemas['LiveMessage']

export type ConnectionState =
  | { state: 'connecting'; failures: number }
  | { state: 'connected'; failures: 0 }
  /** Not connected; the next attempt is at `retryAt`. */
  | { state: 'disconnected'; failures: number; retryAt: number }
  /** The server refuses this session, so a retry would not help. */
  | { state: 'refused'; failures: number }

/** The parts of the environment that tests replace. */
export interface Environment {
  open(url: string): WebSocket
  random(): number
  now(): number
}

const BACKOFF_MS = 500
const BACKOFF_MS_MAX = 30_000
/** The server sends something at least every 15 s. A connection that is silent for longer than this is dead. */
const SILENCE_MS_MAX = 45_000
/** Messages are delivered in batches, so that 200 rows per second don't cause 200 renderings. */
const BATCH_MS = 100
/** Browsers slow the timers of background tabs. A batch beyond this size is replaced by a resync. */
const BATCH_MESSAGES_MAX = 5_000
const POLICY_VIOLATION = 1008

const SYSTEM: Environment = { open: (url) => new WebSocket(url), random: Math.random, now: Date.now }

export class LiveConnection {
  #environment: Environment
  #url: string
  #socket: WebSocket | null = null
  #cursor: string | null = null
  #isReady = false
  #state: ConnectionState = { state: 'connecting', failures: 0 }
  #batch: LiveMessage[] = []
  #timers: { retry?: Timer | undefined; batch?: Timer | undefined; silence?: Timer | undefined } = {}
  #onState = new Set<() => void>()
  #onBatch = new Set<(batch: LiveMessage[]) => void>()

  constructor(url: string, environment: Environment = SYSTEM) {
    this.#url = url
    this.#environment = environment
  }

  state = (): ConnectionState => this.#state

  watchState = (listener: () => void): (() => void) => {
    this.#onState.add(listener)
    return () => this.#onState.delete(listener)
  }

  /** Whether pages may load their data: live messages follow from here on, or the connection is known to be down. */
  isReady = (): boolean => this.#isReady

  /** Subscribes to batches of messages in the order of the log, with at most one message per event. */
  watch = (listener: (batch: LiveMessage[]) => void): (() => void) => {
    this.#onBatch.add(listener)
    return () => this.#onBatch.delete(listener)
  }

  /** Connects at once. Also called by the Reconnect button. */
  connect = () => {
    this.#drop()
    this.#setState({ state: 'connecting', failures: this.#state.failures })
    const after = this.#cursor === null ? '' : `?after=${encodeURIComponent(this.#cursor)}`
    const socket = this.#environment.open(this.#url + after)
    this.#socket = socket
    socket.onopen = () => {
      this.#setState({ state: 'connected', failures: 0 })
      this.#restartSilenceTimer()
    }
    socket.onmessage = ({ data }) => this.#receive(data)
    socket.onerror = () => console.warn('the live connection failed')
    socket.onclose = ({ code }) => this.#lost(code)
    this.#restartSilenceTimer()
  }

  close = () => {
    this.#drop()
    clearTimeout(this.#timers.batch)
    this.#batch = []
  }

  #receive(data: unknown) {
    this.#restartSilenceTimer()
    const message = parse(data)
    if (message === null) {
      console.warn('a live message could not be read')
      return
    }
    // Pages had loaded before the first connection was made, so messages may be missing in between.
    if (this.#cursor === null && this.#isReady) message.type = 'resync'
    this.#cursor = message.cursor
    this.#markReady()
    if (this.#batch.length >= BATCH_MESSAGES_MAX) this.#batch = [{ type: 'resync', cursor: message.cursor }]
    this.#batch.push(message)
    this.#timers.batch ??= setTimeout(this.#deliver, BATCH_MS)
  }

  #deliver = () => {
    this.#timers.batch = undefined
    const batch = this.#batch
    this.#batch = []
    for (const listener of this.#onBatch) listener(batch)
  }

  #lost(code: number) {
    this.#drop()
    this.#markReady()
    const failures = this.#state.failures + 1
    if (code === POLICY_VIOLATION) {
      this.#setState({ state: 'refused', failures })
      return
    }
    const wait = backoffMs(failures, this.#environment.random())
    this.#setState({ state: 'disconnected', failures, retryAt: this.#environment.now() + wait })
    this.#timers.retry = setTimeout(this.connect, wait)
  }

  #restartSilenceTimer() {
    clearTimeout(this.#timers.silence)
    this.#timers.silence = setTimeout(() => this.#lost(0), SILENCE_MS_MAX)
  }

  #markReady() {
    if (this.#isReady) return
    this.#isReady = true
    for (const listener of this.#onState) listener()
  }

  /** Closes the socket without receiving its close event. */
  #drop() {
    clearTimeout(this.#timers.retry)
    clearTimeout(this.#timers.silence)
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return
    socket.onopen = socket.onmessage = socket.onerror = socket.onclose = null
    socket.close()
  }

  #setState(state: ConnectionState) {
    this.#state = state
    for (const listener of this.#onState) listener()
  }
}

type Timer = ReturnType<typeof setTimeout>

/** Doubles with each failure, up to half a minute, with jitter so that a thousand pages don't reconnect at once. */
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

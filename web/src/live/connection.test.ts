import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs, LiveConnection, type LiveMessage } from './connection.ts'

/** A socket that the test controls. */
class FakeSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isClosed = false
  close = () => {
    this.isClosed = true
  }
  send = (message: object) => this.onmessage?.({ data: JSON.stringify(message) })
}

function connection(random = 0) {
  const sockets: FakeSocket[] = []
  const urls: string[] = []
  const open = (url: string) => {
    urls.push(url)
    const socket = new FakeSocket()
    sockets.push(socket)
    return socket as unknown as WebSocket
  }
  const live = new LiveConnection('ws://server/api/live', { open, random: () => random, now: Date.now })
  const messages: LiveMessage[] = []
  live.watch((batch) => void messages.push(...batch))
  live.connect()
  return { live, sockets, urls, messages, socket: () => sockets.at(-1) as FakeSocket }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => void vi.useRealTimers())

describe('a connection that is lost', () => {
  it('Feature: agent-audit, Property 23: Automatic reconnection', () => {
    const losses = fc.array(
      fc.record({
        wasOpen: fc.boolean(),
        code: fc.constantFrom(1000, 1001, 1006, 1011, 1013),
        /** The connection closes or goes silent. */
        isSilent: fc.boolean(),
      }),
      { minLength: 1, maxLength: 10 },
    )
    fc.assert(
      fc.property(losses, fc.double({ min: 0, max: 0.999, noNaN: true }), (all, random) => {
        const { live, sockets, socket } = connection(random)
        for (const [at, { wasOpen, code, isSilent }] of all.entries()) {
          if (wasOpen) socket().onopen?.()
          if (isSilent) vi.advanceTimersByTime(45_000)
          else socket().onclose?.({ code })
          const now = live.state()
          expect(now.state).toBe('disconnected')
          if (now.state === 'disconnected') vi.advanceTimersByTime(Math.ceil(now.retryAt - Date.now()))
          expect(sockets).toHaveLength(at + 2)
          expect(sockets.slice(0, -1).every(({ isClosed }) => isClosed)).toBe(true)
        }
        socket().onopen?.()
        expect(live.state()).toEqual({ state: 'connected', failures: 0 })
        live.close()
      }),
      { numRuns: 100 },
    )
  })

  it('continues after the last message', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 }), (cursors) => {
        const { live, urls, socket } = connection()
        socket().onopen?.()
        for (const cursor of cursors) socket().send({ type: 'log', cursor: `log.${cursor}` })
        socket().onclose?.({ code: 1006 })
        vi.advanceTimersByTime(30_000)
        expect(urls).toEqual(['ws://server/api/live', `ws://server/api/live?after=log.${cursors.at(-1)}`])
        live.close()
      }),
      { numRuns: 100 },
    )
  })

  it('is not retried if the session is refused', () => {
    const { live, sockets, socket } = connection()
    socket().onclose?.({ code: 1008 })
    vi.advanceTimersByTime(300_000)
    expect([live.state().state, sockets.length]).toEqual(['refused', 1])
  })

  it('reconnects at once on request', () => {
    const { live, sockets, socket } = connection()
    socket().onclose?.({ code: 1006 })
    live.connect()
    expect(sockets).toHaveLength(2)
    vi.advanceTimersByTime(44_000)
    expect(sockets).toHaveLength(2)
  })
})

it('waits longer after each failure, up to half a minute, with jitter', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 50 }), fc.double({ min: 0, max: 1, noNaN: true }), (failures, random) => {
      const wait = backoffMs(failures, random)
      const longest = Math.min(500 * 2 ** (failures - 1), 30_000)
      expect(wait).toBeGreaterThanOrEqual(longest / 2)
      expect(wait).toBeLessThanOrEqual(longest)
    }),
  )
})

describe('messages', () => {
  it('are delivered in batches and in order', () => {
    const { messages, socket } = connection()
    const batches: number[] = []
    socket().onopen?.()
    for (let at = 0; at < 500; at += 1) socket().send({ type: 'log', cursor: `${at}` })
    expect(messages).toEqual([])
    vi.advanceTimersByTime(100)
    batches.push(messages.length)
    expect(batches).toEqual([500])
    expect(messages.map(({ cursor }) => Number(cursor))).toEqual(Array.from({ length: 500 }, (_, at) => at))
  })

  it('that pile up in a background tab are replaced by a resync', () => {
    const { messages, socket } = connection()
    socket().onopen?.()
    for (let at = 0; at < 12_000; at += 1) socket().send({ type: 'log', cursor: `${at}` })
    vi.advanceTimersByTime(100)
    expect(messages.length).toBeLessThanOrEqual(5_001)
    expect(messages[0]?.type).toBe('resync')
    expect(messages.at(-1)?.cursor).toBe('11999')
  })

  it.each(['', 'null', '[]', '{"type":1}', '{"type":"log"}', 'not json', 7])('%j is not a message', (data) => {
    const { messages, socket } = connection()
    socket().onopen?.()
    socket().onmessage?.({ data })
    vi.advanceTimersByTime(100)
    expect(messages).toEqual([])
  })

  it('cause a resync if pages had loaded before the first connection', () => {
    const { messages, socket } = connection()
    socket().onclose?.({ code: 1006 })
    vi.advanceTimersByTime(1_000)
    socket().onopen?.()
    socket().send({ type: 'cursor', cursor: '5' })
    vi.advanceTimersByTime(100)
    expect(messages).toEqual([{ type: 'resync', cursor: '5' }])
  })
})

import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { backoffMs, LiveConnection, type LiveMessage } from './connection.ts'

/** A socket that the test controls. */
class Wire {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: unknown }) => void) | null = null
  onerror: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isClosed = false
  close = () => {
    this.isClosed = true
  }
  tell = (message: object) => this.onmessage?.({ data: JSON.stringify(message) })
}

function connection(random = 0) {
  const wires: Wire[] = []
  const urls: string[] = []
  const open = (url: string) => {
    urls.push(url)
    const wire = new Wire()
    wires.push(wire)
    return wire as unknown as WebSocket
  }
  const live = new LiveConnection('ws://server/api/live', { open, random: () => random, now: Date.now })
  const told: LiveMessage[] = []
  live.watch((batch) => void told.push(...batch))
  live.connect()
  return { live, wires, urls, told, wire: () => wires.at(-1) as Wire }
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
        const { live, wires, wire } = connection(random)
        for (const [at, { wasOpen, code, isSilent }] of all.entries()) {
          if (wasOpen) wire().onopen?.()
          if (isSilent) vi.advanceTimersByTime(45_000)
          else wire().onclose?.({ code })
          const now = live.state()
          expect(now.state).toBe('disconnected')
          if (now.state === 'disconnected') vi.advanceTimersByTime(Math.ceil(now.retryAt - Date.now()))
          expect(wires).toHaveLength(at + 2)
          expect(wires.slice(0, -1).every(({ isClosed }) => isClosed)).toBe(true)
        }
        wire().onopen?.()
        expect(live.state()).toEqual({ state: 'connected', failures: 0 })
        live.close()
      }),
      { numRuns: 100 },
    )
  })

  it('continues after the last message', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000), { minLength: 1, maxLength: 20 }), (cursors) => {
        const { live, urls, wire } = connection()
        wire().onopen?.()
        for (const cursor of cursors) wire().tell({ type: 'log', cursor: `log.${cursor}` })
        wire().onclose?.({ code: 1006 })
        vi.advanceTimersByTime(30_000)
        expect(urls).toEqual(['ws://server/api/live', `ws://server/api/live?after=log.${cursors.at(-1)}`])
        live.close()
      }),
      { numRuns: 100 },
    )
  })

  it('is not retried if the session is refused', () => {
    const { live, wires, wire } = connection()
    wire().onclose?.({ code: 1008 })
    vi.advanceTimersByTime(300_000)
    expect([live.state().state, wires.length]).toEqual(['refused', 1])
  })

  it('reconnects at once on request', () => {
    const { live, wires, wire } = connection()
    wire().onclose?.({ code: 1006 })
    live.connect()
    expect(wires).toHaveLength(2)
    vi.advanceTimersByTime(44_000)
    expect(wires).toHaveLength(2)
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
    const { told, wire } = connection()
    const batches: number[] = []
    wire().onopen?.()
    for (let at = 0; at < 500; at += 1) wire().tell({ type: 'log', cursor: `${at}` })
    expect(told).toEqual([])
    vi.advanceTimersByTime(100)
    batches.push(told.length)
    expect(batches).toEqual([500])
    expect(told.map(({ cursor }) => Number(cursor))).toEqual(Array.from({ length: 500 }, (_, at) => at))
  })

  it('that pile up in a background tab are replaced by a resync', () => {
    const { told, wire } = connection()
    wire().onopen?.()
    for (let at = 0; at < 12_000; at += 1) wire().tell({ type: 'log', cursor: `${at}` })
    vi.advanceTimersByTime(100)
    expect(told.length).toBeLessThanOrEqual(5_001)
    expect(told[0]?.type).toBe('resync')
    expect(told.at(-1)?.cursor).toBe('11999')
  })

  it.each(['', 'null', '[]', '{"type":1}', '{"type":"log"}', 'not json', 7])('%j is not a message', (data) => {
    const { told, wire } = connection()
    wire().onopen?.()
    wire().onmessage?.({ data })
    vi.advanceTimersByTime(100)
    expect(told).toEqual([])
  })

  it('cause a resync if pages loaded without a connection before', () => {
    const { told, wire } = connection()
    wire().onclose?.({ code: 1006 })
    vi.advanceTimersByTime(1_000)
    wire().onopen?.()
    wire().tell({ type: 'cursor', cursor: '5' })
    vi.advanceTimersByTime(100)
    expect(told).toEqual([{ type: 'resync', cursor: '5' }])
  })
})

import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveConnection } from '@/live/connection.ts'
import { LiveProvider } from '@/live/live.tsx'
import { ConnectionIndicator } from './connection.tsx'

class FakeSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  close = () => undefined
}

function show() {
  const sockets: FakeSocket[] = []
  const open = () => {
    const socket = new FakeSocket()
    sockets.push(socket)
    return socket as unknown as WebSocket
  }
  const live = new LiveConnection('ws://server/', { open, random: () => 0, now: Date.now })
  const view = render(
    <QueryClientProvider client={new QueryClient()}>
      <LiveProvider connection={live}>
        <ConnectionIndicator />
      </LiveProvider>
    </QueryClientProvider>,
  )
  const socket = () => sockets.at(-1) as FakeSocket
  const greet = () => {
    socket().onopen?.()
    socket().onmessage?.({ data: '{"type":"cursor","cursor":"1"}' })
  }
  act(greet)
  return { ...view, sockets, live, socket, greet }
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const shown = () => screen.getByRole('status').dataset.connection

describe('the indicator', () => {
  it('Feature: agent-audit, Property 24: Connection status indicator', () => {
    const turns = fc.array(fc.constantFrom('lose', 'wait', 'open', 'refuse'), { maxLength: 12 })
    fc.assert(
      fc.property(turns, (all) => {
        const { live, socket, greet, unmount } = show()
        for (const turn of all) {
          act(() => {
            if (turn === 'lose') socket().onclose?.({ code: 1006 })
            if (turn === 'refuse') socket().onclose?.({ code: 1008 })
            if (turn === 'wait') vi.advanceTimersByTime(31_000)
            if (turn === 'open') greet()
          })
          const { state } = live.state()
          expect(shown()).toBe(state)
          const words = {
            connected: 'Connected',
            connecting: /connecting…$/i,
            disconnected: /^Disconnected/,
            refused: 'Signed out',
          }
          expect(screen.getByRole('status').textContent).toMatch(words[state])
        }
        unmount()
      }),
      { numRuns: 100 },
    )
  })

  it('offers a button that reconnects after repeated failures', () => {
    const { sockets, socket } = show()
    for (let at = 0; at < 3; at += 1) {
      expect(screen.queryByRole('button')).toBeNull()
      act(() => {
        socket().onclose?.({ code: 1006 })
        if (at < 2) vi.advanceTimersByTime(31_000)
      })
    }
    const before = sockets.length
    fireEvent.click(screen.getByRole('button', { name: 'Reconnect' }))
    expect(sockets.length).toBe(before + 1)
  })
})

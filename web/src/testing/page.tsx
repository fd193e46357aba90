// Renders a page with its providers and a simulated live connection.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { newQueryClient } from '@/api/queries.ts'
import { sessionQuery } from '@/api/session.ts'
import { KeyboardProvider } from '@/keyboard.tsx'
import { LiveConnection, type LiveMessage } from '@/live/connection.ts'
import { LiveProvider } from '@/live/live.tsx'

/** A page's live connection, and the server at its other end. */
export class FakeLiveServer {
  #cursor = 0
  sockets: WebSocket[] = []
  readonly connection = new LiveConnection('ws://test/api/live', {
    open: () => this.#open(),
    random: () => 0.5,
    now: Date.now,
  })

  #open(): WebSocket {
    const socket = { close: () => {} } as unknown as WebSocket
    this.sockets.push(socket)
    queueMicrotask(() => {
      socket.onopen?.(new Event('open'))
      this.send({ type: 'cursor' })
    })
    return socket
  }

  send(message: Omit<LiveMessage, 'cursor'>) {
    const data = JSON.stringify({ cursor: `test.${this.#cursor++}`, ...message })
    this.sockets.at(-1)?.onmessage?.(new MessageEvent('message', { data }))
  }

  close(code: number) {
    this.sockets.at(-1)?.onclose?.(new CloseEvent('close', { code }))
  }
}

/** Renders a page at an address. Call `serve` (server.ts) first: the session is fetched before the page is shown. */
export async function show(page: ReactNode, at = '/') {
  const queries = newQueryClient()
  await queries.fetchQuery(sessionQuery)
  const liveServer = new FakeLiveServer()
  const [path = '/', searchPath = ''] = at.split('?')
  const place = memoryLocation({ path, searchPath, record: true })
  const shown = render(
    <QueryClientProvider client={queries}>
      <KeyboardProvider>
        <Router hook={place.hook} searchHook={place.searchHook}>
          <LiveProvider connection={liveServer.connection}>
            <Suspense>{page}</Suspense>
          </LiveProvider>
        </Router>
      </KeyboardProvider>
    </QueryClientProvider>,
  )
  return { ...shown, queries, liveServer, place }
}

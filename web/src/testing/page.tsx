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

/** The server's end of a page's live connection. */
export class LiveWire {
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
      this.say({ type: 'cursor' })
    })
    return socket
  }

  say(message: Omit<LiveMessage, 'cursor'>) {
    const data = JSON.stringify({ cursor: `test.${this.#cursor++}`, ...message })
    this.sockets.at(-1)?.onmessage?.(new MessageEvent('message', { data }))
  }

  break(code: number) {
    this.sockets.at(-1)?.onclose?.(new CloseEvent('close', { code }))
  }
}

/** Shows the page at an address, with the session already loaded. */
export async function show(page: ReactNode, at = '/') {
  const queries = newQueryClient()
  await queries.fetchQuery(sessionQuery)
  const wire = new LiveWire()
  const [path = '/', searchPath = ''] = at.split('?')
  const place = memoryLocation({ path, searchPath, record: true })
  const shown = render(
    <QueryClientProvider client={queries}>
      <KeyboardProvider>
        <Router hook={place.hook} searchHook={place.searchHook}>
          <LiveProvider connection={wire.connection}>
            <Suspense>{page}</Suspense>
          </LiveProvider>
        </Router>
      </KeyboardProvider>
    </QueryClientProvider>,
  )
  return { ...shown, queries, wire, place }
}

// A server for tests: answers `fetch` from a table of routes, and records the requests.
import { vi } from 'vitest'
import type { Session } from '@/api/session.ts'

export interface ReceivedRequest {
  method: string
  path: string
  query: URLSearchParams
  headers: Headers
  body: unknown
}

/** A value is sent as JSON, a `Response` as it is. `:name` in a path matches one segment. */
type Route = unknown | ((request: ReceivedRequest) => unknown)

export interface Server {
  /** All requests so far. */
  requests: ReceivedRequest[]
  /** Sets the response of a route, for example `'GET /api/agents'`. */
  on: (route: string, answer: Route) => void
}

export const LOCAL: Session = {
  signed_in: true,
  keys_required: false,
  name: 'local',
  key_id: null,
  role: 'admin',
  csrf: null,
  worker: 'simulated/simulated',
  is_simulated: true,
  is_demo: false,
  version: '0.1.0',
}

/** Replaces `fetch` until the test ends. */
export function serve(routes: Record<string, Route> = {}): Server {
  const table = new Map<string, Route>(Object.entries({ 'GET /api/session': LOCAL, ...routes }))
  const requests: ReceivedRequest[] = []
  vi.stubGlobal('fetch', async (input: Request | string, init?: RequestInit) => {
    const request = await read(new Request(input, init))
    requests.push(request)
    return respond(find(table, request), request)
  })
  return { requests, on: (route, answer) => void table.set(route, answer) }
}

/** An error response in the server's format. */
export function refusal(status: number, detail: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error: 'Refused', detail, status_code: status }, { status, headers })
}

async function read(request: Request): Promise<ReceivedRequest> {
  const { pathname, searchParams } = new URL(request.url)
  const text = await request.text()
  const body = text === '' ? null : JSON.parse(text)
  return { method: request.method, path: pathname, query: searchParams, headers: request.headers, body }
}

function find(table: Map<string, Route>, { method, path }: ReceivedRequest): Route {
  const wanted = `${method} ${path}`.split('/')
  for (const [route, answer] of table) {
    const parts = route.split('/')
    if (parts.length === wanted.length && parts.every((part, at) => part.startsWith(':') || part === wanted[at])) {
      return answer
    }
  }
  return refusal(404, `nothing is at ${path}`)
}

function respond(route: Route, request: ReceivedRequest): Response {
  const answer = typeof route === 'function' ? route(request) : route
  if (answer instanceof Error) throw answer
  return answer instanceof Response ? answer.clone() : Response.json(answer)
}

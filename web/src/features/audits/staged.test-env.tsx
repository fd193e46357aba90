// A server for tests: it keeps logs in memory, answers the live page's requests and feeds live connections, which can be cut.
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import fc from 'fast-check'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { newQueryClient } from '@/api/queries.ts'
import type { Session } from '@/api/session.ts'
import { KeyboardProvider } from '@/keyboard.tsx'
import { LiveConnection } from '@/live/connection.ts'
import { LiveProvider } from '@/live/live.tsx'
import { LOCAL } from '@/testing/server.ts'
import { filtersOf, matches } from './filters.ts'
import { type Audit, type AuditLog, compare, type Finding, type Status } from './log.ts'
import { mean } from './stats.ts'

const NOTHING_FOUND: Omit<Audit, 'risk_score' | 'timestamp'> = {
  auditor: 'builtin',
  confidence: 0.6,
  details: '',
  findings: [],
  inspectors: 'builtin-2',
  model: 'builtin',
  hallucination_detected: false,
  pii_detected: false,
  prompt_injection_detected: false,
  toxic_content_detected: false,
}

const BEGIN = Date.parse('2026-03-01T09:30:00Z')

export function statusOf(score: number): Status {
  return score < 4 ? 'Safe' : score < 7 ? 'Warning' : 'Flagged'
}

/** Fields that replace those of the default log. */
export type LogOverrides = Partial<Omit<AuditLog, 'audit'>> & { audit?: Partial<Audit> }

export function logOf(seq: number, score: number, { audit, ...more }: LogOverrides = {}): AuditLog {
  const at = new Date(BEGIN + seq * 1_000).toISOString().replace('Z', '000Z')
  return {
    id: `log-${seq}`,
    seq,
    event_id: `event-${seq}`,
    created_at: at,
    query: `query ${seq}`,
    response: `response ${seq}`,
    status: statusOf(score),
    audit: { ...NOTHING_FOUND, risk_score: score, timestamp: at, ...audit },
    worker: { provider: 'simulated', model: 'simulated', latency_ms: 1 },
    ...more,
  }
}

export const scores = fc.integer({ min: 0, max: 10 })

export const findings: fc.Arbitrary<Finding> = fc.record({
  kind: fc.constantFrom('pii', 'toxicity', 'injection', 'grounding'),
  type: fc.constant('TYPE'),
  severity: fc.constantFrom('low', 'medium', 'high'),
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  detector: fc.constant('detector'),
  explanation: fc.string(),
  start: fc.integer({ min: -5, max: 60 }),
  end: fc.integer({ min: -5, max: 60 }),
})

/** Responses take `latencyMs`; the data is read half-way through. */
export class StagedServer {
  logs: AuditLog[] = []
  size = 0
  latencyMs = 0
  requests: Request[] = []
  /** Overrides the response to a request, unless it returns undefined. */
  override: (request: Request) => Response | Promise<Response> | undefined = () => undefined
  #sockets = new Set<StagedSocket>()
  #isForgetful = false

  add(score: number, more: Partial<AuditLog> = {}): AuditLog {
    const log = logOf(this.size, score, more)
    this.size += 1
    this.logs.push(log)
    for (const socket of this.#sockets) socket.send(message('log', this.size, log))
    return log
  }

  /** Newest first. */
  sorted(): AuditLog[] {
    return [...this.logs].sort(compare)
  }

  /** Cuts every connection. */
  cut() {
    for (const socket of this.#sockets) socket.lose()
  }

  /** At the next connection, an old cursor is unknown and causes a resync. */
  forget() {
    this.#isForgetful = true
  }

  open = (url: string): WebSocket => {
    const after = new URL(url).searchParams.get('after')
    const socket = new StagedSocket(() => this.#sockets.delete(socket))
    setTimeout(() => socket.isClosed || this.#greet(socket, after), 1)
    return socket as unknown as WebSocket
  }

  #greet(socket: StagedSocket, after: string | null) {
    this.#sockets.add(socket)
    socket.onopen?.()
    if (after === null) socket.send(message('cursor', this.size))
    else if (this.#isForgetful) socket.send(message('resync', this.size))
    else for (const log of this.logs.slice(Number(after))) socket.send(message('log', log.seq + 1, log))
    this.#isForgetful = false
  }

  fetch = async (request: Request): Promise<Response> => {
    this.requests.push(request)
    const overridden = this.override(request)
    if (overridden !== undefined) return overridden
    await sleep(this.latencyMs / 2)
    const answer = this.#answer(request, new URL(request.url))
    await sleep(this.latencyMs / 2)
    return answer
  }

  #answer({ method }: Request, { pathname, searchParams }: URL): Response {
    const found = this.sorted().filter((log) => matches(filtersOf(searchParams), log))
    if (pathname === '/api/logs') return Response.json(page(found, searchParams))
    if (pathname === '/api/logs/stats') return Response.json(this.#stats(found))
    if (pathname === '/process-agent' && method === 'POST') {
      const { id, query, response, audit, status, created_at } = this.add(0)
      return Response.json({ log_id: id, query, worker_response: response, audit, status, created_at })
    }
    const one = this.logs.find(({ id }) => pathname === `/api/logs/${id}`)
    return one === undefined ? Response.json({ detail: 'none' }, { status: 404 }) : Response.json(one)
  }

  #stats(found: AuditLog[]) {
    const by_status = { Safe: 0, Warning: 0, Flagged: 0 }
    const by_score = Array.from({ length: 11 }, () => 0)
    for (const { audit, status } of found) {
      by_status[status as Status] += 1
      by_score[audit.risk_score] = (by_score[audit.risk_score] ?? 0) + 1
    }
    return { total: found.length, by_status, by_score, average_risk: mean(by_score), trend: [], as_of: this.size }
  }
}

class StagedSocket {
  onopen: (() => void) | null = null
  onmessage: ((event: { data: string }) => void) | null = null
  onerror: (() => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null
  isClosed = false
  #onClose: () => void

  constructor(onClose: () => void) {
    this.#onClose = onClose
  }

  send(data: string) {
    if (!this.isClosed) this.onmessage?.({ data })
  }

  lose() {
    this.close()
    this.onclose?.({ code: 1006 })
  }

  close() {
    this.isClosed = true
    this.#onClose()
  }
}

function message(type: string, cursor: number, data?: unknown): string {
  return JSON.stringify({ type, cursor: String(cursor), data })
}

function page(found: AuditLog[], search: URLSearchParams) {
  const from = Number(search.get('after') ?? 0)
  const limit = Number(search.get('limit') ?? 50)
  // The cursor counts from the oldest row, so new rows don't move it.
  const rest = from === 0 ? found : found.slice(-from)
  const left = rest.length - limit
  return { items: rest.slice(0, limit), next: left > 0 ? String(left) : null, partial: false }
}

async function sleep(ms: number) {
  if (ms > 0) await new Promise((done) => setTimeout(done, ms))
}

/** Renders a component against a staged server. */
export function stage(server: StagedServer, part: ReactNode, session: Partial<Session> = {}) {
  vi.stubGlobal('fetch', server.fetch)
  const queries = newQueryClient()
  queries.setQueryData(['session'], { ...LOCAL, ...session })
  const live = new LiveConnection('ws://server/api/live', { open: server.open, random: () => 0, now: Date.now })
  const view = render(
    <QueryClientProvider client={queries}>
      <KeyboardProvider>
        <LiveProvider connection={live}>{part}</LiveProvider>
      </KeyboardProvider>
    </QueryClientProvider>,
  )
  return { ...view, queries, live }
}

/** happy-dom has no layout, but the list needs to know its visible size. */
export function mockLayout(height = 720) {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(height)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1_200)
}

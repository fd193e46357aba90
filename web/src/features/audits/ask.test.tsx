import { act, fireEvent, screen } from '@testing-library/react'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Ask } from './ask.tsx'
import { AuditsPage } from './page.tsx'
import { mockLayout, StagedServer, stage } from './staged.test-env.tsx'

// happy-dom has no canvas.
vi.mock('./trend.tsx', () => ({ default: () => null }))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const posts = (server: StagedServer) => server.requests.filter(({ method }) => method === 'POST')

async function staged(server: StagedServer) {
  const view = stage(server, <Ask onAnswer={() => undefined} onOpen={() => undefined} />)
  await pass(200)
  return view
}

const form = () => document.querySelector('form[aria-label="Ask the model"]') as HTMLFormElement
const alert = () => form().querySelector('[role=alert]')
const status = () => form().querySelector('[role=status]')
const button = () => form().querySelector('button')

function send(query: string) {
  fireEvent.change(form().querySelector('input') as HTMLInputElement, { target: { value: query } })
  fireEvent.submit(form())
}

const blank = fc.array(fc.constantFrom(' ', '\t', '\u00a0', '\u2003'), { maxLength: 6 }).map((parts) => parts.join(''))
// Texts that a single-line input can hold.
const line = fc.string({ unit: 'binary', minLength: 1, maxLength: 200 }).map((text) => text.replaceAll(/[\r\n]/g, ' '))

describe('the question box', () => {
  it('Feature: agent-audit, Property 30: Test query submission', async () => {
    const server = new StagedServer()
    await staged(server)
    await fc.assert(
      fc.asyncProperty(
        line.filter((text) => text.trim() !== ''),
        async (query) => {
          const before = posts(server).length
          send(query)
          await pass(5)
          const sent = posts(server).slice(before)
          expect(sent.map(({ url }) => new URL(url).pathname)).toEqual(['/process-agent'])
          expect(await sent[0]?.json()).toEqual({ user_query: query })
        },
      ),
      { numRuns: 100 },
    )
  })

  it('Feature: agent-audit, Property 30: Test query submission, blank queries are not sent', async () => {
    const server = new StagedServer()
    await staged(server)
    await fc.assert(
      fc.asyncProperty(blank, async (query) => {
        send(query)
        await pass(1)
        expect(alert()?.textContent).toBe('Please enter a query')
        expect(posts(server)).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('Feature: agent-audit, Property 32: Loading state feedback', async () => {
    const server = new StagedServer()
    await staged(server)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 90_000 }), fc.boolean(), async (takesMs, isFailing) => {
        server.override = () =>
          new Promise((done) => {
            const answer = isFailing ? Response.json({}, { status: 500 }) : Response.json(ANSWER)
            setTimeout(() => done(answer), takesMs)
          })
        send('a question')
        await pass(takesMs - 1)
        expect(status()?.textContent).toContain('The model is answering')
        expect(button()).toHaveProperty('disabled', true)
        await pass(2)
        expect(form().textContent).not.toContain('The model is answering')
        expect(button()).toHaveProperty('disabled', false)
        expect([alert() !== null, status() !== null]).toEqual([isFailing, !isFailing])
      }),
      { numRuns: 100 },
    )
  })

  it('Feature: agent-audit, Property 33: Error message display', async () => {
    const server = new StagedServer()
    await staged(server)
    await fc.assert(
      fc.asyncProperty(failures, async ({ answer, message }) => {
        server.override = answer
        send('a question')
        await pass(5)
        expect(alert()?.textContent).toBe(message)
      }),
      { numRuns: 200 },
    )
  })

  it('shows the verdict on the answer, with a link to its audit', async () => {
    const server = new StagedServer()
    server.override = () =>
      Response.json({ ...ANSWER, status: 'Flagged', audit: { risk_score: 9, details: 'A card.' } })
    const opened: string[] = []
    stage(server, <Ask onAnswer={() => undefined} onOpen={(id) => opened.push(id)} />)
    await pass(200)
    send('a question')
    await pass(5)
    expect(status()?.textContent).toBe('FlaggedRisk 9 of 10A card.View audit')
    fireEvent.click(screen.getByRole('link'))
    expect(opened).toEqual(['log-0'])
  })

  it('is not offered to viewers', async () => {
    mockLayout()
    stage(new StagedServer(), <AuditsPage />, { role: 'viewer' })
    await pass(500)
    expect(form()).toBeNull()
  })
})

describe('on the page', () => {
  it('Feature: agent-audit, Property 31: Result display after submission', async () => {
    mockLayout(100)
    const server = new StagedServer()
    stage(server, <AuditsPage />)
    await pass(500)
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.constantFrom(0, 40, 400), async (isLive, latencyMs) => {
        // The row comes from the response or the live connection, whichever is first, or from one of them if the other fails.
        if (!isLive) server.cut()
        server.latencyMs = latencyMs
        send('a question')
        await pass(3 * latencyMs + 200)
        const newest = server.sorted()[0]?.id
        expect(document.querySelectorAll(`[data-log="${newest}"]`)).toHaveLength(1)
        expect(document.querySelector('[data-log]')?.getAttribute('data-log')).toBe(newest)
        await pass(2_000)
        expect(document.querySelectorAll(`[data-log="${newest}"]`)).toHaveLength(1)
      }),
      { numRuns: 100 },
    )
  }, 90_000)
})

const ANSWER = {
  log_id: 'log-0',
  query: 'q',
  worker_response: 'r',
  audit: { risk_score: 0 },
  status: 'Safe',
  created_at: '',
}

interface Failure {
  answer: () => Response | Promise<Response>
  message: string
}

const NETWORK = 'Unable to connect to server'
const TIMEOUT = 'Request timed out, please try again'
const SERVER = 'Server error occurred, please try again later'

/** Bodies that a server or a proxy may send with an error. */
const bodies = fc.oneof(
  fc.string().map((detail) => JSON.stringify({ error: 'Short', detail, status_code: 0 })),
  fc.constantFrom('', '<html><h1>Bad gateway</h1></html>', 'null', '[]', '{"detail":{}}', '{"detail":', '"text"'),
)

function detailIn(body: string): string {
  try {
    const { detail, error } = JSON.parse(body) ?? {}
    return (typeof detail === 'string' && detail) || error || 'The server refused the request'
  } catch {
    return 'The server refused the request'
  }
}

const failures: fc.Arbitrary<Failure> = fc.oneof(
  fc.constant({ answer: () => Promise.reject(new TypeError('Failed to fetch')), message: NETWORK }),
  fc.constant({ answer: () => Promise.reject(new DOMException('too slow', 'TimeoutError')), message: TIMEOUT }),
  fc.tuple(fc.integer({ min: 500, max: 599 }), bodies).map(([status, body]) => ({
    answer: () => new Response(body, { status }),
    message: status === 504 ? TIMEOUT : SERVER,
  })),
  fc.tuple(fc.integer({ min: 400, max: 499 }), bodies).map(([status, body]) => ({
    answer: () => new Response(body, { status, headers: { 'content-type': 'application/json' } }),
    message: status === 408 ? TIMEOUT : detailIn(body),
  })),
)

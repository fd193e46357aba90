import { useQuery } from '@tanstack/react-query'
import { act } from '@testing-library/react'
import fc from 'fast-check'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { useFeed } from './feed.ts'
import { type Filters, NO_FILTERS } from './filters.ts'
import { shownRisk } from './gauge.tsx'
import { Recent } from './recent.ts'
import { StagedServer, scores, stage } from './staged.test-env.tsx'
import { mean, statsQuery } from './stats.ts'
import { Summary } from './summary.tsx'
import { waitingLabel } from './waiting.ts'

/** Renders only the list and the counts. */
function Probe({ filters, controls }: { filters: Filters; controls: Controls }) {
  const [recent] = useState(() => new Recent())
  const [isHeld, setHeld] = useState(false)
  const feed = useFeed(filters, isHeld, recent)
  const { data } = useQuery(statsQuery(filters, null, recent))
  controls.hold = setHeld
  controls.show = feed.show
  return (
    <>
      <output aria-label="waiting">{waitingLabel(feed.waiting)}</output>
      <output aria-label="numbers">{data && `${data.total} ${mean(data.by_score)}`}</output>
      <ol>{feed.rows.data?.pages.flatMap(({ items }) => items.map(({ id }) => <li key={id}>{id}</li>))}</ol>
    </>
  )
}

/** The summary above a list that follows the log. */
function GaugeAndFeed() {
  const [recent] = useState(() => new Recent())
  useFeed(NO_FILTERS, false, recent)
  return <Summary filters={NO_FILTERS} recent={recent} />
}

interface Controls {
  hold: (isHeld: boolean) => void
  show: () => void
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

/** Long enough to reconnect and receive everything, but shorter than the periodic refresh of the counts. */
const SETTLED_MS = 3_000

function staged(server: StagedServer, filters = NO_FILTERS) {
  const controls: Controls = { hold: () => undefined, show: () => undefined }
  const view = stage(server, <Probe filters={filters} controls={controls} />)
  return {
    ...view,
    hold: (isHeld: boolean) => act(() => controls.hold(isHeld)),
    show: () => act(() => controls.show()),
    rows: () => [...view.container.querySelectorAll('li')].map(({ textContent }) => textContent),
    numbers: () => view.queryByLabelText('numbers')?.textContent,
    waiting: () => view.queryByLabelText('waiting')?.textContent,
  }
}

const newestFirst = (server: StagedServer) => server.sorted().map(({ id }) => id)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

type Step =
  | { do: 'add'; scores: number[] }
  | { do: 'cut' | 'forget' | 'hold' | 'release' | 'show' }
  | { do: 'pass'; ms: number }

const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      scores: fc.array(scores, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass' as const), ms: fc.constantFrom(1, 30, 90, 120, 400, 2_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('cut' as const, 'forget' as const, 'hold' as const, 'release' as const, 'show' as const),
    }),
  },
)

describe('the live list', () => {
  it('Feature: agent-audit, Property 22: Real-time log display', async () => {
    const server = new StagedServer()
    const view = staged(server)
    await pass(500)
    await fc.assert(
      fc.asyncProperty(fc.array(scores, { minLength: 1, maxLength: 3 }), async (all) => {
        const added = all.map((score) => server.add(score).id)
        await pass(200)
        expect(view.rows().slice(0, added.length)).toEqual(added.toReversed())
      }),
      { numRuns: 100 },
    )
    expect(view.rows()).toEqual(newestFirst(server))
  })

  it('Feature: agent-audit, Property 25: Missed update synchronization', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(30),
        fc.constantFrom(0, 50, 300),
        fc.array(steps, { maxLength: 25 }),
        async (before, latencyMs, all) => {
          const server = new StagedServer()
          for (let at = 0; at < before; at += 1) server.add(at % 11)
          server.latencyMs = latencyMs
          const view = staged(server)
          for (const step of all) {
            if (step.do === 'add') for (const score of step.scores) server.add(score)
            if (step.do === 'cut') server.cut()
            if (step.do === 'forget') server.forget()
            if (step.do === 'hold') view.hold(true)
            if (step.do === 'release') view.hold(false)
            if (step.do === 'show') view.show()
            await pass(step.do === 'pass' ? step.ms : 1)
            const rows = view.rows()
            expect(new Set(rows).size, 'no row twice').toBe(rows.length)
          }
          view.hold(false)
          await pass(SETTLED_MS)
          expect(view.rows()).toEqual(newestFirst(server).slice(0, view.rows().length))
          expect(view.rows().length).toBeGreaterThanOrEqual(Math.min(200, server.size))
          const sum = server.logs.reduce((sum, { audit }) => sum + audit.risk_score, 0)
          expect(view.numbers()).toBe(`${server.size} ${server.size === 0 ? 0 : sum / server.size}`)
          view.unmount()
        },
      ),
      { numRuns: 100 },
    )
  }, 120_000)

  it('Feature: agent-audit, Property 28: Risk gauge updates', async () => {
    const server = new StagedServer()
    const view = stage(server, <GaugeAndFeed />)
    await pass(500)
    let sum = 0
    await fc.assert(
      fc.asyncProperty(scores, async (score) => {
        server.add(score)
        sum += score
        await pass(150)
        const average = sum / server.size
        const meter = view.getByRole('meter', { name: 'Average risk' })
        expect(meter.getAttribute('aria-valuenow')).toBe(String(average))
        expect(meter.textContent).toMatch(new RegExp(`^${shownRisk(average).replace('.', '\\.')} / 10`))
        const [drawn = 0, whole = 1] = (
          meter.querySelector('[stroke-dasharray]')?.getAttribute('stroke-dasharray') ?? ''
        )
          .split(' ')
          .map(Number)
        expect(drawn / (whole / 2)).toBeCloseTo(average / 10, 6)
      }),
      { numRuns: 100 },
    )
  })
})

it('a resync reloads the list', async () => {
  const server = new StagedServer()
  server.add(1)
  const view = staged(server)
  await pass(500)
  server.forget()
  server.cut()
  server.add(2)
  await pass(SETTLED_MS)
  expect([view.rows(), view.numbers()]).toEqual([['log-1', 'log-0'], '2 1.5'])
})

describe('while rows must not move', () => {
  it('they wait, and appear together when they are shown', async () => {
    const server = new StagedServer()
    server.add(1)
    const view = staged(server)
    await pass(500)
    view.hold(true)
    for (const score of [2, 3]) server.add(score)
    await pass(200)
    expect([view.rows(), view.waiting()]).toEqual([['log-0'], '2 new'])
    expect(view.numbers()).toBe('3 2')
    view.show()
    await pass(1)
    expect([view.rows(), view.waiting()]).toEqual([['log-2', 'log-1', 'log-0'], '0 new'])
  })

  it('the number of waiting rows is bounded; if there are more, the list is loaded again', async () => {
    const server = new StagedServer()
    const view = staged(server)
    await pass(500)
    view.hold(true)
    for (let at = 0; at < 1_200; at += 1) server.add(at % 11)
    await pass(200)
    expect(view.waiting()).toBe('1,000+ new')
    view.show()
    await pass(500)
    expect(view.rows()).toEqual(newestFirst(server).slice(0, 200))
  })

  it('a resync waits too', async () => {
    const server = new StagedServer()
    server.add(1)
    const view = staged(server)
    await pass(500)
    view.hold(true)
    server.forget()
    server.cut()
    server.add(2)
    await pass(5_000)
    expect([view.rows(), view.waiting()]).toEqual([['log-0'], '1,000+ new'])
    view.hold(false)
    await pass(500)
    expect(view.rows()).toEqual(['log-1', 'log-0'])
  })
})

describe('with a search', () => {
  it('live rows are requested, because only the server can evaluate a search', async () => {
    const server = new StagedServer()
    server.add(1)
    const view = staged(server, { ...NO_FILTERS, q: 'words' })
    await pass(500)
    const before = server.requests.length
    server.add(2)
    await pass(500)
    expect(view.rows()).toEqual(['log-0'])
    await pass(2_500)
    expect(view.rows()).toEqual(['log-1', 'log-0'])
    const requests = server.requests.slice(before).map(({ url }) => new URL(url))
    expect(requests.filter(({ pathname }) => pathname === '/api/logs')).toHaveLength(1)
    expect(requests.every(({ searchParams }) => searchParams.get('q') === 'words')).toBe(true)
  })
})

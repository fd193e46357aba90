// The causes and effects of an event, drawn from left to right. A narrow screen shows an indented list instead.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { number, When } from '@/components/ui/value.tsx'
import { eventName } from '@/ledger/event-names.ts'
import { type Layout, layOut, type PlacedEvent } from './chain-layout.ts'
import { chainQuery } from './queries.ts'

const NODE = { width: 232, height: 52 }
const GAP = { x: 40, y: 12 }
const INDENT_LEVELS_MAX = 8

export function ChainPanel({ id }: { id: string }) {
  const chain = useQuery(chainQuery(id))
  if (chain.data === undefined) {
    return (
      <Panel title="Causes and effects">
        {chain.isError ? (
          <Failed what="The chain" problem={chain.error} retry={() => void chain.refetch()} />
        ) : (
          <Loading rows={3} label="Loading the chain" />
        )}
      </Panel>
    )
  }
  const layout = layOut(chain.data.items)
  return (
    <Panel title="Causes and effects" aside={<Count count={layout.placed.length} isCut={chain.data.truncated} />}>
      <Graph layout={layout} current={id} />
      <Outline layout={layout} current={id} />
    </Panel>
  )
}

function Count({ count, isCut }: { count: number; isCut: boolean }) {
  const events = `${number(count)} ${count === 1 ? 'event' : 'events'}`
  return <span className="text-muted text-sm">{isCut ? `First ${events}; more exist` : events}</span>
}

function Graph({ layout: { placed, columns, rows }, current }: { layout: Layout; current: string }) {
  const container = useRef<HTMLElement>(null)
  const here = placed.find(({ event }) => event.event_id === current)
  const [x, y] = here === undefined ? [0, 0] : [left(here), top(here)]
  useEffect(() => {
    const { clientWidth = 0, clientHeight = 0 } = container.current ?? {}
    container.current?.scrollTo(x - (clientWidth - NODE.width) / 2, y - (clientHeight - NODE.height) / 2)
  }, [x, y])
  const width = columns * (NODE.width + GAP.x) - GAP.x
  const height = rows * (NODE.height + GAP.y) - GAP.y
  return (
    <section ref={container} aria-label="Chain as a graph" className="hidden max-h-[440px] overflow-auto p-4 sm:block">
      <div className="relative" style={{ width, height }}>
        <svg width={width} height={height} aria-hidden="true" className="absolute inset-0">
          {placed.map(({ event, cause, ...at }) => cause && <Edge key={event.event_id} from={cause} to={at} />)}
        </svg>
        {placed.map((at) => (
          <GraphNode key={at.event.event_id} at={at} isHere={at === here} />
        ))}
      </div>
    </section>
  )
}

type Spot = Pick<PlacedEvent, 'column' | 'row'>

function Edge({ from, to }: { from: Spot; to: Spot }) {
  const start = { x: left(from) + NODE.width, y: top(from) + NODE.height / 2 }
  const end = { x: left(to), y: top(to) + NODE.height / 2 }
  const bend = start.x + GAP.x / 2
  return (
    <path
      d={`M${start.x} ${start.y}C${bend} ${start.y} ${bend} ${end.y} ${end.x} ${end.y}`}
      fill="none"
      strokeWidth={1.5}
      className="stroke-line-strong"
    />
  )
}

function GraphNode({ at, isHere }: { at: PlacedEvent; isHere: boolean }) {
  const { event, cause } = at
  return (
    <Link
      href={`/ledger/${event.event_id}`}
      aria-current={isHere ? 'true' : undefined}
      title={event.event_type}
      style={{ left: left(at), top: top(at), ...NODE }}
      className="absolute flex flex-col justify-center rounded-md border border-line bg-surface px-2.5 hover:border-line-strong aria-[current]:border-accent aria-[current]:bg-sunken"
    >
      <span className="foreign-line text-sm">{eventName(event.event_type)}</span>
      <span className="foreign-line text-muted text-xs">
        {event.producer} · <When at={event.recorded_at} />
      </span>
      <CausedBy cause={cause} />
    </Link>
  )
}

/** Names the cause for screen readers, which can't see the line to it. */
function CausedBy({ cause }: { cause: PlacedEvent | null }) {
  if (cause === null) return null
  return <span className="sr-only">, caused by {eventName(cause.event.event_type)}</span>
}

function Outline({ layout, current }: { layout: Layout; current: string }) {
  return (
    <ol aria-label="Chain as a list" className="flex flex-col py-2 sm:hidden">
      {layout.placed.map(({ event, column, cause }) => (
        <li
          key={event.event_id}
          style={{ paddingLeft: 16 + Math.min(column, INDENT_LEVELS_MAX) * 12 }}
          className="pr-4"
        >
          <Link
            href={`/ledger/${event.event_id}`}
            aria-current={event.event_id === current ? 'true' : undefined}
            className="flex flex-col border-line border-l-2 py-1.5 pl-2.5 aria-[current]:border-accent aria-[current]:bg-sunken"
          >
            <span className="foreign text-sm">{eventName(event.event_type)}</span>
            <span className="foreign-line text-muted text-xs">
              {event.producer} · <When at={event.recorded_at} />
            </span>
            <CausedBy cause={cause} />
          </Link>
        </li>
      ))}
    </ol>
  )
}

function left({ column }: Spot): number {
  return column * (NODE.width + GAP.x)
}

function top({ row }: Spot): number {
  return row * (NODE.height + GAP.y)
}

// One event of the log: what it says, what it belongs to, and the proof that it stands there unchanged.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { Problem } from '@/api/problem.ts'
import { Badge } from '@/components/ui/badge.tsx'
import { IconButton } from '@/components/ui/button.tsx'
import { Json } from '@/components/ui/json.tsx'
import { Facts, Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, number } from '@/components/ui/value.tsx'
import { ChainPanel } from './chain.tsx'
import { ProofPanel } from './proof.tsx'
import { eventQuery, leafQuery, type StoredEvent } from './queries.ts'

export default function EventPage({ id }: { id: string }) {
  const event = useQuery(eventQuery(id))
  if (event.data !== undefined) return <Whole event={event.data} />
  if (event.isPending) return <Loading rows={10} label="Loading the event" />
  const isUnknown = event.error instanceof Problem && (event.error.status === 404 || event.error.status === 400)
  if (!isUnknown) return <Failed what="The event" problem={event.error} retry={() => void event.refetch()} />
  return (
    <Empty title="There is no such event" action={<BackLink />}>
      The id may be cut off, or be that of another log.
    </Empty>
  )
}

function Whole({ event }: { event: StoredEvent }) {
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <BackLink />
        <h1 className="foreign min-w-0 font-medium text-xl">{event.event_type}</h1>
        <div className="flex items-center">
          <Neighbour index={event.seq - 1} icon="left" label="The event before" />
          <span className="text-muted">{number(event.seq)}</span>
          <Neighbour index={event.seq + 1} icon="right" label="The event after" />
        </div>
      </header>
      <ChainPanel id={event.event_id} />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <ProofPanel key={event.event_id} event={event} />
          <Header event={event} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Body title="Payload" value={event.payload} />
          <Body title="Metadata" value={event.metadata} />
        </div>
      </div>
    </div>
  )
}

function BackLink() {
  return (
    <Link href="/ledger" className="text-accent text-sm underline underline-offset-2">
      Ledger
    </Link>
  )
}

/** The log is known by place; which event stands there is looked up when it is asked for. */
function Neighbour({ index, icon, label }: { index: number; icon: 'left' | 'right'; label: string }) {
  const queries = useQueryClient()
  const [, go] = useLocation()
  const going = useMutation({
    mutationFn: async () => JSON.parse((await queries.fetchQuery(leafQuery(index))).header) as { event_id: string },
    onSuccess: ({ event_id }) => go(`/ledger/${event_id}`),
  })
  return (
    <IconButton
      icon={icon}
      label={going.isError ? `${label}: there is none` : label}
      disabled={index < 0 || going.isPending}
      onClick={() => going.mutate()}
    />
  )
}

function Body({ title, value }: { title: string; value: StoredEvent['payload'] }) {
  return (
    <Panel title={title}>
      <div className="px-4 py-3">
        {value ? (
          <Json value={value} />
        ) : (
          <p className="flex flex-wrap items-center gap-2 text-sm">
            <Badge tone="neutral">erased</Badge>
            Its header stays in the log, with a commitment to what stood here.
          </p>
        )}
      </div>
    </Panel>
  )
}

function Header({ event }: { event: StoredEvent }) {
  return (
    <Panel title="Header">
      <div className="px-4 py-3">
        <Facts
          rows={[
            ['Recorded', <Moment key="recorded" at={event.recorded_at} />],
            ['Occurred', <Moment key="occurred" at={event.occurred_at} />],
            ['Producer', event.producer],
            ['Event id', <Code key="id" text={event.event_id} />],
            ['Caused by', <Cause key="cause" id={event.causation_id ?? null} />],
            ['Belongs to', <Together key="together" id={event.correlation_id} />],
            ['Schema version', event.schema_version],
          ]}
        />
      </div>
    </Panel>
  )
}

function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {fullTime(at)}
    </time>
  )
}

function Code({ text }: { text: string }) {
  return <code className="foreign font-mono text-xs">{text}</code>
}

function Cause({ id }: { id: string | null }) {
  if (id === null) return <span className="text-muted">nothing in this log</span>
  return (
    <Link href={`/ledger/${id}`} className="text-accent underline underline-offset-2">
      <Code text={id} />
    </Link>
  )
}

function Together({ id }: { id: string }) {
  return (
    <Link href={`/ledger?correlation=${id}`} className="text-accent underline underline-offset-2">
      <Code text={id} />
    </Link>
  )
}

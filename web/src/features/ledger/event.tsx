// One event of the log: its content, header, causal chain, and the proof that it is unchanged.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useLocation } from 'wouter'
import { Problem } from '@/api/problem.ts'
import { Badge } from '@/components/ui/badge.tsx'
import { IconButton } from '@/components/ui/button.tsx'
import { Json } from '@/components/ui/json.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, number } from '@/components/ui/value.tsx'
import { eventName } from '@/ledger/event-names.ts'
import { ChainPanel } from './chain.tsx'
import { ProofPanel } from './proof.tsx'
import { eventQuery, leafQuery, type StoredEvent } from './queries.ts'

export default function EventPage({ id }: { id: string }) {
  const event = useQuery(eventQuery(id))
  if (event.data !== undefined) return <WholeEvent event={event.data} />
  if (event.isPending) return <Loading rows={10} label="Loading the event" />
  const isUnknown = event.error instanceof Problem && (event.error.status === 404 || event.error.status === 400)
  if (!isUnknown) return <Failed what="The event" problem={event.error} retry={() => void event.refetch()} />
  return (
    <Empty title="Event not found" action={<BackLink />}>
      Check the id: it may be incomplete or belong to another log.
    </Empty>
  )
}

function WholeEvent({ event }: { event: StoredEvent }) {
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <BackLink />
        <h1 className="foreign min-w-0 font-medium text-xl">{eventName(event.event_type)}</h1>
        <div className="flex items-center">
          <Neighbour index={event.seq - 1} icon="left" label="Previous event" />
          <span className="text-muted">{number(event.seq)}</span>
          <Neighbour index={event.seq + 1} icon="right" label="Next event" />
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

/** Links to the event at a neighbouring position. Its id is looked up on click. */
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
      label={going.isError ? `No ${label.toLowerCase()}` : label}
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
            <Badge tone="neutral">Erased</Badge>
            The header stays in the log, with a commitment to the erased content.
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
        <DefinitionList
          rows={[
            ['Type', <Code key="type" text={event.event_type} />],
            ['Recorded', <Moment key="recorded" at={event.recorded_at} />],
            ['Occurred', <Moment key="occurred" at={event.occurred_at} />],
            ['Producer', event.producer],
            ['Event id', <Code key="id" text={event.event_id} />],
            ['Caused by', <Cause key="cause" id={event.causation_id ?? null} />],
            ['Correlation id', <Correlation key="correlation" id={event.correlation_id} />],
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
  if (id === null) return <span className="text-muted">No event in this log</span>
  return (
    <Link href={`/ledger/${id}`} className="text-accent underline underline-offset-2">
      <Code text={id} />
    </Link>
  )
}

function Correlation({ id }: { id: string }) {
  return (
    <Link href={`/ledger?correlation=${id}`} className="text-accent underline underline-offset-2">
      <Code text={id} />
    </Link>
  )
}

// The list of events, with search by id, position or correlation id, and a filter by type.
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Select } from '@/components/ui/field.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { Hash, number } from '@/components/ui/value.tsx'
import { EventTable } from './event-table.tsx'
import { type Filter, isFiltered, useFilter } from './filter.ts'
import { Find } from './find.tsx'
import { type EventRow, eventsQuery, newestQuery } from './queries.ts'
import { TypeFilter } from './type-filter.tsx'

/** `size` is the number of signed events. */
export function Events({ size }: { size: number | null }) {
  const [filter, change] = useFilter()
  return (
    <Panel label="Events">
      <div className="flex flex-wrap items-start gap-2 border-line border-b px-4 py-3">
        <Find onCorrelation={(correlation) => change({ correlation })} />
        <TypeFilter chosen={filter.types} onChange={(types) => change({ types })} />
        <Order filter={filter} change={change} />
        {filter.correlation !== null && (
          <Button icon="close" onClick={() => change({ correlation: null })}>
            <span>
              Correlation <Hash value={filter.correlation} />
            </span>
          </Button>
        )}
      </div>
      {filter.isNewestFirst ? <Newest size={size} /> : <Oldest filter={filter} />}
    </Panel>
  )
}

function Order({ filter, change }: { filter: Filter; change: (next: Partial<Filter>) => void }) {
  if (isFiltered(filter)) return <span className="self-center text-muted text-sm">Oldest first</span>
  return (
    <Select
      label="Order"
      value={filter.isNewestFirst ? 'newest' : 'oldest'}
      options={[
        ['newest', 'Newest first'],
        ['oldest', 'Oldest first'],
      ]}
      onChange={(order) => change({ isNewestFirst: order === 'newest' })}
    />
  )
}

/** The rows stay still. A button shows the events that have been added since. */
function Newest({ size }: { size: number | null }) {
  const [requestedEnd, setRequestedEnd] = useState<number | null>(null)
  if (size === null) return <Loading rows={10} label="Loading events" />
  // An empty list has no rows to keep still.
  const end = requestedEnd === null || requestedEnd === 0 ? size : requestedEnd
  if (requestedEnd !== end) setRequestedEnd(end)
  return (
    <>
      {size > end && (
        <button
          type="button"
          onClick={() => setRequestedEnd(size)}
          className="w-full border-line border-b px-4 py-1.5 text-accent text-sm hover:bg-sunken"
        >
          {number(size - end)} new
        </button>
      )}
      <NewestUntil end={end} />
    </>
  )
}

function NewestUntil({ end }: { end: number }) {
  const rows = useInfiniteQuery(newestQuery(end))
  return <List pages={rows} rows={rows.data?.pages.flat()} />
}

function Oldest({ filter }: { filter: Filter }) {
  const rows = useInfiniteQuery(eventsQuery(filter))
  return <List pages={rows} rows={rows.data?.pages.flatMap(({ items }) => items)} isFiltered={isFiltered(filter)} />
}

interface Pages {
  error: Error | null
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
  refetch: () => unknown
}

interface ListProps {
  pages: Pages
  rows: EventRow[] | undefined
  isFiltered?: boolean
}

function List({ pages, rows, isFiltered = false }: ListProps): ReactNode {
  if (rows === undefined) {
    if (pages.error === null) return <Loading rows={10} label="Loading events" />
    return <Failed what="The events" problem={pages.error} retry={() => void pages.refetch()} />
  }
  if (rows.length === 0) return isFiltered ? <NoMatches /> : <EmptyLog />
  return (
    <>
      <EventTable rows={rows} />
      {pages.error && <Failed what="Further events" problem={pages.error} />}
      {pages.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
    </>
  )
}

function NoMatches() {
  return <Empty title="No events match">Remove a type, or search for another id.</Empty>
}

function EmptyLog() {
  return (
    <Empty title="No events yet">
      Every question, answer, transaction, report and decision is recorded here as it happens, and signed within a
      second. Ask the model something on the Live page, or run <code className="font-mono">countersign demo</code> to
      see made-up events.
    </Empty>
  )
}

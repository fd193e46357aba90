// The queue: reviews that wait for a decision, all investigations, past decisions and alerts.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { useLiveInvalidation } from '@/live/live.tsx'
import { EmptyQueue } from './empty-queue.tsx'
import { QueueFilters, useQueue } from './filters.tsx'
import { queueQuery } from './queue.ts'
import { useStillList } from './still-list.ts'
import { QueueTable } from './table.tsx'

export default function InvestigationsPage() {
  const queue = useQueue()
  const list = useInfiniteQuery(queueQuery(queue.view, queue.filters))
  useLiveInvalidation(['alert', 'investigation', 'report', 'validation', 'review'], ['queue'])
  const { shown, waiting } = useStillList(JSON.stringify([queue.view, queue.filters]), list.data ?? [])
  const body = useRef<HTMLTableSectionElement>(null)
  useRowKeys(body)
  return (
    <div className="flex flex-col gap-3">
      <h1 className="sr-only">Investigations</h1>
      <QueueFilters {...queue} />
      {waiting > 0 && (
        // Fixed over the page, so that it does not move the rows.
        <Button
          look="primary"
          className="fixed top-28 left-1/2 z-20 -translate-x-1/2 lg:top-14"
          onClick={() => scrollTo({ top: 0 })}
        >
          {number(waiting)} new
        </Button>
      )}
      <Panel label="Queue">
        {list.isPending && <Loading rows={12} label="Loading the queue" />}
        {list.isError && shown.length === 0 && (
          <Failed what="The queue" problem={list.error} retry={() => void list.refetch()} />
        )}
        {list.isSuccess && shown.length === 0 && <EmptyQueue view={queue.view} filters={queue.filters} />}
        {shown.length > 0 && <QueueTable body={body} rows={shown} view={queue.view} />}
      </Panel>
      {list.isFetchNextPageError && (
        <p role="alert" className="self-center text-muted text-sm">
          Older entries could not be loaded: {list.error.message}.
        </p>
      )}
      {list.hasNextPage && (
        <Button
          className="self-center"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage({ cancelRefetch: false })}
        >
          {list.isFetchingNextPage ? 'Loading…' : 'Load older'}
        </Button>
      )}
    </div>
  )
}

/** `j` and `k` move the focus from row to row. Each row is a link, so `Enter` opens it. */
function useRowKeys(body: React.RefObject<HTMLTableSectionElement | null>) {
  const walk = (by: 1 | -1) => {
    const links = [...(body.current?.querySelectorAll<HTMLElement>('a[data-row]') ?? [])]
    const here = links.indexOf(document.activeElement as HTMLElement)
    const next = here === -1 ? links[0] : links[Math.max(0, Math.min(links.length - 1, here + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'nearest' })
  }
  useShortcut('j', 'Next row (Enter opens it)', () => walk(1))
  useShortcut('k', 'Previous row', () => walk(-1))
}

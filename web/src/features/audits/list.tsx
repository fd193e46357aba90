// The live list with its filters, the pause button and the button for held-back rows.
import { type RefObject, useCallback, useRef } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { useShortcut } from '@/keyboard.tsx'
import type { Feed } from './feed.ts'
import { FilterBar } from './filter-bar.tsx'
import { type Filters, isFiltered, NO_FILTERS } from './filters.ts'
import { FirstRun } from './first-run.tsx'
import { countOf, type Rows } from './rows.ts'
import { LogTable } from './table.tsx'
import { isAnyWaiting, waitingLabel } from './waiting.ts'

interface Props {
  feed: Feed
  filters: Filters
  onFilter: (change: Partial<Filters>) => void
  isPaused: boolean
  onPause: () => void
  activeId: string | null
  onOpen: (id: string) => void
  onShow: () => void
  scroll: RefObject<HTMLDivElement | null>
}

export function LogList({ feed, filters, onFilter, isPaused, onPause, activeId, onOpen, onShow, scroll }: Props) {
  const search = useRef<HTMLInputElement>(null)
  useShortcut('/', 'Search', () => search.current?.focus())
  useShortcut('p', 'Pause or resume', onPause)
  return (
    <section aria-label="Live list" className="min-w-0 rounded-md border border-line bg-surface">
      <div className="flex flex-wrap items-start justify-between gap-2 border-line border-b px-3 py-2">
        <FilterBar filters={filters} onChange={onFilter} searchRef={search} />
        <div className="ml-auto flex items-center gap-2">
          {isAnyWaiting(feed.waiting) && (
            <Button look="primary" onClick={onShow} aria-live="polite">
              {waitingLabel(feed.waiting)}
            </Button>
          )}
          <Button icon={isPaused ? 'play' : 'pause'} aria-pressed={isPaused} onClick={onPause} className="min-w-24">
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </div>
      </div>
      <div
        ref={scroll}
        className="h-[max(360px,calc(100dvh-160px))] overflow-y-auto overflow-x-hidden md:h-[max(360px,calc(100dvh-416px))]"
      >
        <Body feed={feed} filters={filters} onFilter={onFilter} activeId={activeId} onOpen={onOpen} scroll={scroll} />
      </div>
    </section>
  )
}

type BodyProps = Pick<Props, 'feed' | 'filters' | 'onFilter' | 'activeId' | 'onOpen' | 'scroll'>

function Body({ feed, filters, onFilter, activeId, onOpen, scroll }: BodyProps) {
  const { rows, more } = feed
  const loadMore = useAutoLoad(feed, scroll)
  if (rows.isPending) return <Loading rows={12} label="Loading answers" />
  if (rows.isError && rows.data === undefined) {
    return <Failed what="The answers" problem={rows.error} retry={() => void rows.refetch()} />
  }
  const { data } = rows
  if (countOf(data) === 0 && data.pages.at(-1)?.next === null) {
    return isFiltered(filters) ? <NoMatches onClear={() => onFilter(NO_FILTERS)} /> : <FirstRun />
  }
  const footer = (
    <Footer rows={data} isLoading={more.isPending} problem={more.error} onMore={() => more.mutate(nextStart(data))} />
  )
  return (
    <LogTable rows={data} activeId={activeId} onOpen={onOpen} onNearEnd={loadMore} scroll={scroll} footer={footer} />
  )
}

/** Loads further pages automatically. After a partial search it waits for a scroll: the rest may contain no match. */
function useAutoLoad({ rows: { data }, more }: Feed, scroll: RefObject<HTMLDivElement | null>) {
  const { mutate, isPending, isError } = more
  return useCallback(() => {
    const next = data === undefined ? null : nextStart(data)
    if (next === null || isPending || isError) return
    const isPartial = data?.pages.at(-1)?.partial === true
    if (!isPartial || (scroll.current?.scrollTop ?? 0) > 0) mutate(next)
  }, [data, mutate, isPending, isError, scroll])
}

function nextStart({ pages }: Rows) {
  return pages.at(-1)?.next ?? null
}

interface FooterProps {
  rows: Rows
  isLoading: boolean
  problem: Error | null
  onMore: () => void
}

function Footer({ rows, isLoading, problem, onMore }: FooterProps) {
  if (isLoading) return <span role="status">Loading more…</span>
  if (problem !== null) {
    return (
      <span role="alert" className="flex flex-wrap items-center gap-2">
        Older answers could not be loaded: {problem.message}.<Button onClick={onMore}>Try again</Button>
      </span>
    )
  }
  if (rows.pages.at(-1)?.partial === true) {
    return (
      <span className="flex flex-wrap items-center gap-2">
        The search reached its time limit. Scroll to search further.
        <Button onClick={onMore}>Search further</Button>
      </span>
    )
  }
  return nextStart(rows) === null ? <span>End of list</span> : null
}

function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <Empty title="No answers match" action={<Button onClick={onClear}>Clear filters</Button>}>
      New answers that match the filters will appear here automatically.
    </Empty>
  )
}

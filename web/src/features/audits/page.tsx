// The live page: ask a question, see the totals, and watch audited answers arrive.
import { Suspense, useCallback, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { useHasRole } from '@/api/session.ts'
import { useShortcut } from '@/keyboard.tsx'
import { lazyComponent } from '@/lazy-component.ts'
import { useConnection } from '@/live/live.tsx'
import { Ask } from './ask.tsx'
import { useFeed } from './feed.ts'
import { useFilters } from './filters.ts'
import { useHold } from './hold.ts'
import { LogList } from './list.tsx'
import { readLog } from './queries.ts'
import { Recent } from './recent.ts'
import { indexOf, type Rows, slice } from './rows.ts'
import { Summary } from './summary.tsx'

const DetailDrawer = lazyComponent(() => import('./detail/drawer.tsx'))

export function AuditsPage() {
  const [filters, setFilters] = useFilters()
  const [recent] = useState(() => new Recent())
  const scroll = useRef<HTMLDivElement>(null)
  const { isPaused, togglePause, mayMove } = useHold(scroll)
  const [activeId, setActiveId] = useState<string | null>(null)
  const [openId, open] = useOpenLog()
  const feed = useFeed(filters, !mayMove || activeId !== null, recent)
  useWalk(feed.rows.data, activeId, setActiveId, openId, open)
  const onAnswer = useAnswer(feed.addAnswer)
  const mayAsk = useHasRole('investigator')
  const show = () => {
    setActiveId(null)
    feed.show()
    scroll.current?.scrollTo({ top: 0 })
  }
  return (
    <div className="flex flex-col gap-3">
      <h1 className="sr-only">Live audits</h1>
      {mayAsk && <Ask onAnswer={onAnswer} onOpen={open} />}
      <Summary filters={filters} recent={recent} />
      <LogList
        feed={feed}
        filters={filters}
        onFilter={setFilters}
        isPaused={isPaused}
        onPause={togglePause}
        activeId={activeId}
        onOpen={open}
        onShow={show}
        scroll={scroll}
      />
      {openId !== null && (
        <Suspense fallback={null}>
          <DetailDrawer id={openId} onClose={() => open(null)} />
        </Suspense>
      )}
    </div>
  )
}

/** The open audit. It is part of the address, so it can be linked to, and going back closes it. */
function useOpenLog(): [string | null, (id: string | null) => void] {
  const [search, setSearch] = useSearchParams()
  const openId = search.get('log')
  const open = useCallback(
    (id: string | null) =>
      setSearch(
        (now) => {
          const next = new URLSearchParams(now)
          if (id === null) next.delete('log')
          else next.set('log', id)
          return next
        },
        // Stepping through several audits adds only one entry to the history.
        { replace: openId !== null },
      ),
    [setSearch, openId],
  )
  return [openId, open]
}

/** `j` and `k` walk the rows; with an audit open, they open its neighbours. Walking up past the first row releases the list. */
function useWalk(
  rows: Rows | undefined,
  activeId: string | null,
  setActiveId: (id: string | null) => void,
  openId: string | null,
  open: (id: string) => void,
) {
  const step = (by: 1 | -1) => {
    if (rows === undefined) return
    const from = openId ?? activeId
    const at = from === null ? (by === 1 ? 0 : -1) : indexOf(rows, from) + by
    const [next] = at < 0 ? [] : slice(rows, at, at + 1)
    if (next === undefined) {
      if (at < 0 && openId === null) setActiveId(null)
      return
    }
    setActiveId(next.id)
    if (openId !== null) open(next.id)
  }
  useShortcut('j', 'Next row', () => step(1))
  useShortcut('k', 'Previous row', () => step(-1))
  useShortcut('Enter', 'Open the row', () => activeId !== null && open(activeId))
}

/** Adds the row of an answer that was asked for here, unless the live connection delivers it first. */
function useAnswer(addAnswer: ReturnType<typeof useFeed>['addAnswer']) {
  const isLive = useConnection().state === 'connected'
  return useCallback(
    (logId: string) => {
      readLog(logId).then(
        (log) => addAnswer(log, isLive),
        () => console.warn('the new answer could not be loaded; the live connection will deliver it'),
      )
    },
    [addAnswer, isLive],
  )
}

// The choice of list and its filters, all kept in the address.
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import { Select, TextInput } from '@/components/ui/field.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { type Filters, VIEWS, type View } from './queue.ts'

const NAMES: Record<View, string> = {
  waiting: 'Waiting for review',
  all: 'All investigations',
  decided: 'Decided',
  alerts: 'Alerts',
}

const SEVERITIES: [string, string][] = [
  ['', 'Any severity'],
  ['critical', 'Critical'],
  ['high', 'High'],
  ['medium', 'Medium'],
  ['low', 'Low'],
]

const STATES: Record<'all' | 'alerts', [string, string][]> = {
  all: [
    ['', 'Any state'],
    ['open', 'Open'],
    ['in_review', 'Waiting for review'],
    ['approved', 'Approved'],
    ['sent_back', 'Sent back'],
    ['disposed', 'Closed'],
  ],
  alerts: [
    ['', 'Any state'],
    ['recorded', 'Recorded (low)'],
    ['open', 'Open'],
    ['reported', 'Reported'],
    ['closed', 'Closed'],
  ],
}

const TYPING_MS = 300

interface Queue {
  view: View
  filters: Filters
  change: (changes: Record<string, string>) => void
}

/** Reads the address. Invalid values are ignored. */
export function useQueue(): Queue {
  const [search, setSearch] = useSearchParams()
  const view = VIEWS.find((one) => one === search.get('show')) ?? 'waiting'
  const validOption = (options: [string, string][], name: string) =>
    options.find(([value]) => value !== '' && value === search.get(name))?.[0] ?? null
  const isFiltered = view === 'all' || view === 'alerts'
  const filters: Filters = {
    severity: isFiltered ? (validOption(SEVERITIES, 'severity') as Filters['severity']) : null,
    status: isFiltered ? validOption(STATES[view], 'status') : null,
    user: isFiltered ? search.get('user_id') || null : null,
  }
  const change = (changes: Record<string, string>) => {
    setSearch((old) => {
      const next = new URLSearchParams(old)
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name)
        else next.set(name, value)
      }
      return next
    })
  }
  return { view, filters, change }
}

export function QueueFilters({ view, filters, change }: Queue) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <nav aria-label="Lists" className="-mx-1 flex max-w-full gap-1 overflow-x-auto">
        {VIEWS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === view}
            onClick={() => change({ show: one, status: '', ...(one !== 'all' && one !== 'alerts' && { user_id: '' }) })}
            className="h-8 whitespace-nowrap rounded-md border border-transparent px-2.5 text-muted text-sm hover:text-ink aria-pressed:border-line-strong aria-pressed:bg-surface aria-pressed:text-ink"
          >
            {NAMES[one]}
          </button>
        ))}
      </nav>
      <div className="flex flex-wrap items-center gap-2">
        {(view === 'all' || view === 'alerts') && (
          <>
            <Select
              label="Severity"
              value={filters.severity ?? ''}
              onChange={(severity) => change({ severity })}
              options={SEVERITIES}
            />
            <Select
              label="State"
              value={filters.status ?? ''}
              onChange={(status) => change({ status })}
              options={STATES[view]}
            />
          </>
        )}
        <CustomerSearch
          user={filters.user}
          // The server can't search the review lists, so a search switches to all investigations.
          onSearch={(user_id) => change({ user_id, ...(view !== 'alerts' && { show: 'all' }) })}
        />
      </div>
    </div>
  )
}

function CustomerSearch({ user, onSearch }: { user: string | null; onSearch: (user: string) => void }) {
  const [typed, setTyped] = useState(user ?? '')
  const [searched, setSearched] = useState(user)
  // Follow a change of the address through a link or the back button.
  if (searched !== user) {
    setSearched(user)
    if (typed.trim() !== (user ?? '')) setTyped(user ?? '')
  }
  const input = useRef<HTMLInputElement>(null)
  const search = useRef(onSearch)
  search.current = onSearch
  useShortcut('/', 'Search by customer id', () => input.current?.focus())
  useEffect(() => {
    if (typed.trim() === (user ?? '')) return
    const timer = setTimeout(() => search.current(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, user])
  return (
    <TextInput
      ref={input}
      type="search"
      aria-label="Customer id"
      placeholder="Customer id  /"
      maxLength={128}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      className="w-52"
    />
  )
}

// The filter controls. Changes go to the address at once; typed text goes there after a short pause.
import { type Ref, useEffect, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Labelled, Select, TextInput } from '@/components/ui/field.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { type Filters, isFiltered, NO_FILTERS } from './filters.ts'
import type { Status } from './log.ts'

const TYPING_MS = 250

const STATUSES: [string, string][] = [
  ['', 'Any verdict'],
  ['Safe', 'Safe'],
  ['Warning', 'Warning'],
  ['Flagged', 'Flagged'],
]
const SCORES = Array.from({ length: 11 }, (_, score) => String(score))

interface Props {
  filters: Filters
  onChange: (change: Partial<Filters>) => void
  searchRef: Ref<HTMLInputElement>
}

export function FilterBar({ filters, onChange, searchRef }: Props) {
  const [isMore, setMore] = useState(false)
  const hasMore = filters.minScore !== null || filters.maxScore !== null || filters.from !== null || filters.to !== null
  return (
    <search aria-label="Filters" className="flex min-w-0 flex-1 basis-full flex-wrap items-end gap-2 sm:basis-0">
      <Search q={filters.q} onChange={(q) => onChange({ q })} inputRef={searchRef} />
      <Select
        label="Verdict"
        value={filters.status ?? ''}
        options={STATUSES}
        onChange={(status) => onChange({ status: status === '' ? null : (status as Status) })}
      />
      <Button look={hasMore ? 'plain' : 'quiet'} aria-expanded={isMore || hasMore} onClick={() => setMore(!isMore)}>
        Score and time
        <Icon name={isMore || hasMore ? 'down' : 'right'} />
      </Button>
      {isFiltered(filters) && (
        <Button look="quiet" icon="close" onClick={() => onChange(NO_FILTERS)}>
          Clear
        </Button>
      )}
      {(isMore || hasMore) && <MoreFilters filters={filters} onChange={onChange} />}
    </search>
  )
}

function MoreFilters({ filters, onChange }: Omit<Props, 'searchRef'>) {
  return (
    <div className="flex basis-full flex-wrap items-end gap-2 pt-1">
      <Labelled label="Risk from">
        <Score label="Risk from" unset="0" value={filters.minScore} onChange={(minScore) => onChange({ minScore })} />
      </Labelled>
      <Labelled label="Risk to">
        <Score label="Risk to" unset="10" value={filters.maxScore} onChange={(maxScore) => onChange({ maxScore })} />
      </Labelled>
      <Labelled label="From">
        <Moment value={filters.from} onChange={(from) => onChange({ from })} />
      </Labelled>
      <Labelled label="To">
        <Moment value={filters.to} onChange={(to) => onChange({ to })} />
      </Labelled>
    </div>
  )
}

function Search({
  q,
  onChange,
  inputRef,
}: {
  q: string
  onChange: (q: string) => void
  inputRef: Ref<HTMLInputElement>
}) {
  const [typed, setTyped] = useState(q)
  // The address may also change through a link, the back button or the "Clear" button.
  useEffect(() => setTyped((now) => (now.trim() === q ? now : q)), [q])
  useEffect(() => {
    if (typed.trim() === q) return
    const timer = setTimeout(() => onChange(typed.trim()), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, q, onChange])
  return (
    <span className="relative min-w-0 flex-1 basis-full sm:max-w-80 sm:basis-44">
      <Icon name="search" className="pointer-events-none absolute top-2 left-2.5 text-muted" />
      <TextInput
        ref={inputRef}
        type="search"
        aria-label="Search in queries and answers"
        placeholder="Search queries and answers"
        title="Press / to search"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        className="w-full pl-8"
      />
    </span>
  )
}

interface ScoreProps {
  label: string
  /** The choice that sets no filter. */
  unset: string
  value: number | null
  onChange: (score: number | null) => void
}

function Score({ label, unset, value, onChange }: ScoreProps) {
  return (
    <Select
      label={label}
      value={String(value ?? unset)}
      options={SCORES.map((score) => [score, score])}
      onChange={(score) => onChange(score === unset ? null : Number(score))}
    />
  )
}

/** Shown in local time; the address holds UTC. */
function Moment({ value, onChange }: { value: string | null; onChange: (at: string | null) => void }) {
  return (
    <TextInput
      type="datetime-local"
      value={value === null ? '' : localTime(new Date(value))}
      onChange={({ target }) => onChange(target.value === '' ? null : new Date(target.value).toISOString())}
    />
  )
}

function localTime(date: Date): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const day = `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
  return `${day}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

// The timeline of the record, as the writer received it.
import type { Schemas } from '@/api/client.ts'
import { When } from '@/components/ui/value.tsx'
import { inWords } from './sections.ts'

interface TimelineEntry {
  at: string | null
  what: string
  kind: string
}

export function timelineEntries(structured: Schemas['Report']['structured_data']): TimelineEntry[] {
  const events = structured.timeline_events
  return Array.isArray(events) ? events.map(read) : []
}

function read(value: unknown): TimelineEntry {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const { timestamp, event, happening } = fields
  return {
    at: typeof timestamp === 'string' && !Number.isNaN(Date.parse(timestamp)) ? timestamp : null,
    what: typeof event === 'string' ? event : (JSON.stringify(value) ?? ''),
    kind: typeof happening === 'string' ? inWords(happening) : '',
  }
}

export function TimelineEntries({ items, omitted }: { items: TimelineEntry[]; omitted: number }) {
  return (
    <>
      {omitted > 0 && (
        <p className="px-4 pt-3 text-muted text-sm">{omitted} more events were left out of the record.</p>
      )}
      <ol className="flex flex-col px-4 py-3 text-sm">
        {items.map(({ at, what, kind }, index) => {
          const isPrior = kind === 'prior transaction'
          return (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: the record's list never changes.
              key={index}
              className="grid grid-cols-[9rem_minmax(0,1fr)] gap-3 border-line border-b py-1 last:border-0"
            >
              <span className="text-muted">{at === null ? 'No time' : <When at={at} />}</span>
              <span className={`foreign ${isPrior ? '' : 'font-medium'}`}>{what}</span>
            </li>
          )
        })}
      </ol>
    </>
  )
}

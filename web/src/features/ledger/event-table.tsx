import { useRef } from 'react'
import { Link } from 'wouter'
import { Hash, number, When } from '@/components/ui/value.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { eventName } from '@/ledger/event-names.ts'
import type { EventRow } from './queries.ts'

export function EventTable({ rows }: { rows: EventRow[] }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const step = (by: number) => focusRow(body.current, by)
  useShortcut('j', 'Next row', () => step(1))
  useShortcut('k', 'Previous row', () => step(-1))
  return (
    <table className="w-full table-fixed text-sm">
      <caption className="sr-only">Events of the log. Enter opens the focused event.</caption>
      <thead>
        <tr className="border-line border-b text-left text-muted text-xs">
          <th className="w-[4.75rem] py-2 pr-2 pl-4 text-right font-normal sm:w-28">Seq</th>
          <th className="w-[5.25rem] px-2 py-2 font-normal sm:w-32">Recorded</th>
          <th className="px-2 py-2 font-normal">Event</th>
          <th className="hidden w-40 px-2 py-2 font-normal sm:table-cell">Producer</th>
          <th className="hidden w-80 px-2 py-2 font-normal lg:table-cell">Correlation</th>
        </tr>
      </thead>
      <tbody ref={body}>
        {rows.map((row) => (
          <Row key={row.event_id} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ row }: { row: EventRow }) {
  return (
    <tr className="relative border-line border-b last:border-b-0 focus-within:bg-sunken hover:bg-sunken">
      <td className="py-1.5 pr-2 pl-4 text-right text-muted">{number(row.seq)}</td>
      <td className="px-2 py-1.5">
        <When at={row.recorded_at} />
      </td>
      <td className="foreign-line px-2 py-1.5">
        {/* The link covers its row, so that the whole row can be clicked. */}
        <Link href={`/ledger/${row.event_id}`} title={row.event_type} className="after:absolute after:inset-0">
          {eventName(row.event_type)}
        </Link>
      </td>
      <td className="foreign-line hidden px-2 py-1.5 text-muted sm:table-cell">{row.producer}</td>
      <td className="hidden px-2 py-1.5 text-muted lg:table-cell">
        <Hash value={row.correlation_id} keep={18} />
      </td>
    </tr>
  )
}

function focusRow(body: HTMLElement | null, by: number) {
  const links = [...(body?.querySelectorAll('a') ?? [])]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  const next = at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.min(links.length - 1, Math.max(0, at + by))
  links[next]?.focus()
}

// The virtualised list of audited answers: only visible rows are rendered. Row heights are fixed, so a hundred thousand rows
// cost as much as thirty.
import { useTable } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useMemo, useSyncExternalStore } from 'react'
import { FEATURES, NARROW, WIDE, WIDTHS } from './columns.tsx'
import { hasSelection } from './hold.ts'
import { LogRow } from './row.tsx'
import { countOf, indexOf, type Rows, slice } from './rows.ts'

const HEAD_PX = 33
const WIDE_ROW_PX = 36
const NARROW_ROW_PX = 60
const OVERSCAN_ROWS = 10
/** The next page is requested when at most this many rows are left below the rendered ones. */
const PREFETCH_AT_ROWS_LEFT = 60
/** The header is row 1 of the table for `aria-rowindex`, which counts from 1, so the first answer is row 2. */
const FIRST_ARIA_ROW = 2

interface Props {
  rows: Rows
  /** The id of the row selected with the keyboard. */
  activeId: string | null
  onOpen: (id: string) => void
  onNearEnd: () => void
  scroll: RefObject<HTMLDivElement | null>
  /** Shown below the last row. */
  footer: ReactNode
}

export function LogTable({ rows, activeId, onOpen, onNearEnd, scroll, footer }: Props) {
  const isWide = useIsWide()
  const count = useMemo(() => countOf(rows), [rows])
  const height = isWide ? WIDE_ROW_PX : NARROW_ROW_PX
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => height,
    overscan: OVERSCAN_ROWS,
    paddingStart: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    // The first render happens before the list is measured. Without an assumed size it would show no rows.
    initialRect: { width: 1_200, height: 600 },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed height requires new measurements.
  useEffect(() => virtual.measure(), [virtual, height])
  const rendered = virtual.getVirtualItems()
  const [start, end] = [rendered[0]?.index ?? 0, (rendered.at(-1)?.index ?? -1) + 1]
  useEffect(() => {
    if (end >= count - PREFETCH_AT_ROWS_LEFT) onNearEnd()
  }, [end, count, onNearEnd])
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the keyboard moves the view; rows that come in don't.
  useEffect(() => {
    const index = activeId === null ? -1 : indexOf(rows, activeId)
    if (index >= 0) virtual.scrollToIndex(index)
  }, [activeId])
  const visibleRows = useMemo(() => slice(rows, start, end), [rows, start, end])
  const table = useTable({
    features: FEATURES,
    columns: isWide ? WIDE : NARROW,
    data: visibleRows,
    getRowId: ({ id }) => id,
  })
  const columns = isWide ? WIDE.length : NARROW.length
  const open = (event: MouseEvent, id: string) => {
    // Leave modified clicks and text selection to the browser.
    if (event.ctrlKey || event.metaKey || event.shiftKey || hasSelection(scroll.current)) return
    event.preventDefault()
    onOpen(id)
  }
  return (
    <table
      aria-label="Audited answers, newest first"
      aria-rowcount={count + 1}
      className="w-full table-fixed border-separate border-spacing-0 text-left"
    >
      <thead className="sticky top-0 z-10 bg-surface">
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id} aria-rowindex={1}>
            {group.headers.map((header) => (
              <th
                key={header.id}
                scope="col"
                className={`h-[33px] border-line border-b px-3 font-normal text-muted text-sm ${WIDTHS[header.id]}`}
              >
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        <Gap px={(rendered[0]?.start ?? HEAD_PX) - HEAD_PX} columns={columns} />
        {table.getRowModel().rows.map((row, offset) => (
          <LogRow
            key={row.id}
            row={row}
            index={FIRST_ARIA_ROW + start + offset}
            height={height}
            isActive={row.id === activeId}
            onClick={open}
          />
        ))}
        <Gap px={virtual.getTotalSize() - (rendered.at(-1)?.end ?? virtual.getTotalSize())} columns={columns} />
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={columns} className="h-11 px-3 text-muted text-sm">
            {footer}
          </td>
        </tr>
      </tfoot>
    </table>
  )
}

/** Takes up the space of the rows that are not rendered. */
function Gap({ px, columns }: { px: number; columns: number }) {
  if (px <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: the row can’t take the focus, and there is nothing to read.
    <tr aria-hidden="true" style={{ height: px }}>
      <td colSpan={columns} className="p-0" />
    </tr>
  )
}

const WIDE_PAGE = '(min-width: 720px)'

function useIsWide(): boolean {
  return useSyncExternalStore(watchWidth, () => matchMedia(WIDE_PAGE).matches)
}

function watchWidth(onChange: () => void) {
  const query = matchMedia(WIDE_PAGE)
  query.addEventListener('change', onChange)
  return () => query.removeEventListener('change', onChange)
}

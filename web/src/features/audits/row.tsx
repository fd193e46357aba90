// One row. Its position changes with every new row above it; its content never does.
import { FlexRender, type Row } from '@tanstack/react-table'
import { type MouseEvent, memo, useEffect, useRef } from 'react'
import { type FEATURES, WIDTHS } from './columns.tsx'
import type { AuditLog } from './log.ts'

type TableRow = Row<typeof FEATURES, AuditLog>

interface Props {
  row: TableRow
  index: number
  height: number
  isActive: boolean
  onClick: (event: MouseEvent, id: string) => void
}

export function LogRow({ row, index, height, isActive, onClick }: Props) {
  const element = useRef<HTMLTableRowElement>(null)
  useEffect(() => {
    if (isActive && mayTakeFocus()) element.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [isActive])
  return (
    <tr
      ref={element}
      aria-rowindex={index}
      data-active={isActive || undefined}
      onClick={(event) => onClick(event, row.id)}
      style={{ height }}
      className="cursor-pointer hover:bg-sunken data-[active]:bg-sunken"
    >
      <Cells row={row} height={height} />
    </tr>
  )
}

/** The height identifies the set of columns, because wide and narrow rows differ in height. */
const Cells = memo(
  function Cells({ row }: { row: TableRow; height: number }) {
    return row.getAllCells().map((cell) => (
      <td key={cell.id} className={`overflow-hidden border-line border-b px-3 ${WIDTHS[cell.column.id]}`}>
        <FlexRender cell={cell} />
      </td>
    ))
  },
  (before, now) => before.row.original === now.row.original && before.height === now.height,
)

/** Focus is not taken from a text field or an open dialog. */
function mayTakeFocus(): boolean {
  return document.activeElement?.closest('input, textarea, select, [role=dialog]') == null
}

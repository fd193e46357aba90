// A collapsible panel. Its content is rendered only while it is open.
import { type ReactNode, useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  /** Shown next to the title, even while the panel is closed. */
  aside?: ReactNode
  children: ReactNode
  /** Turning true opens the panel; the reader can still close it. */
  isRequested?: boolean
  id?: string
}

export function Fold({ title, aside, children, isRequested = false, id }: Props) {
  const [isOpen, setOpen] = useState(isRequested)
  const [wasRequested, setWasRequested] = useState(isRequested)
  if (wasRequested !== isRequested) {
    setWasRequested(isRequested)
    if (isRequested) setOpen(true)
  }
  return (
    <details
      id={id}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="group min-w-0 rounded-md border border-line bg-surface"
    >
      <summary className="flex min-h-10 list-none flex-wrap items-center gap-x-2 gap-y-1 px-4 py-2 [&::-webkit-details-marker]:hidden">
        <Icon name="right" className="text-muted group-open:rotate-90" />
        <h2 className="font-medium">{title}</h2>
        {aside && <span className="ml-auto text-muted text-sm">{aside}</span>}
      </summary>
      {isOpen && <div className="overflow-x-hidden border-line border-t">{children}</div>}
    </details>
  )
}

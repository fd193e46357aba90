// A panel that is closed until it is wanted. What is inside is made only then.
import { type ReactNode, useState } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  title: string
  /** Said beside the title, also while it is closed. */
  aside?: ReactNode
  children: ReactNode
  /** Opens it from outside; it can still be closed by hand. */
  isAsked?: boolean
  id?: string
}

export function Fold({ title, aside, children, isAsked = false, id }: Props) {
  const [isOpen, setOpen] = useState(isAsked)
  const [wasAsked, setWasAsked] = useState(isAsked)
  if (wasAsked !== isAsked) {
    setWasAsked(isAsked)
    if (isAsked) setOpen(true)
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

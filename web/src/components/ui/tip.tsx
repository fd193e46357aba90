// Words that appear beside something when it is pointed at, focused or tapped.
import { Popover } from '@base-ui/react/popover'
import type { ReactNode } from 'react'

interface Props {
  /** What is pointed at. It becomes a button, so that keyboards and fingers reach it. */
  children: ReactNode
  tip: ReactNode
  label?: string
  className?: string
}

export function Tip({ children, tip, label, className = '' }: Props) {
  return (
    <Popover.Root>
      <Popover.Trigger openOnHover delay={80} closeDelay={60} aria-label={label} className={className}>
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className="z-[60]">
          <Popover.Popup className="max-w-[min(380px,calc(100vw-16px))] rounded-md border border-line-strong bg-surface px-3 py-2 text-ink text-sm outline-none">
            {tip}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

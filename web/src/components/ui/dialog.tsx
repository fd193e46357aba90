// Overlays: a drawer from the side for details, and a modal dialog for questions.
import { Dialog } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

interface Props {
  open: boolean
  onClose: () => void
  title: ReactNode
  children: ReactNode
  footer?: ReactNode
}

const BACKDROP = 'fixed inset-0 z-40 bg-ink/25 dark:bg-canvas/60'

function Head({ title }: { title: ReactNode }) {
  return (
    <div className="flex items-start justify-between gap-3 border-line border-b px-4 py-3">
      <Dialog.Title className="min-w-0 font-medium text-lg">{title}</Dialog.Title>
      <Dialog.Close
        aria-label="Close"
        title="Close (Esc)"
        className="inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink"
      >
        <Icon name="close" />
      </Dialog.Close>
    </div>
  )
}

export function Drawer({ open, onClose, title, children, footer }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup className="fixed inset-y-0 right-0 z-50 flex w-full max-w-[720px] flex-col border-line border-l bg-surface text-ink outline-none">
          <Head title={title} />
          <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain">{children}</div>
          {footer && <div className="border-line border-t px-4 py-3">{footer}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

export function ModalDialog({ open, onClose, title, children, footer }: Props) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup className="fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(560px,calc(100vw-24px))] -translate-x-1/2 flex-col rounded-md border border-line bg-surface text-ink outline-none">
          <Head title={title} />
          <div className="min-h-0 flex-1 overflow-y-auto px-4 py-3">{children}</div>
          {footer && <div className="flex justify-end gap-2 border-line border-t px-4 py-3">{footer}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

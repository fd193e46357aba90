import { ModalDialog } from '@/components/ui/dialog.tsx'
import { useShortcuts } from '@/keyboard.tsx'

export function Help({ open, onClose }: { open: boolean; onClose: () => void }) {
  const shortcuts = useShortcuts()
  return (
    <ModalDialog open={open} onClose={onClose} title="Keyboard shortcuts">
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {[...new Map(shortcuts.map((shortcut) => [shortcut.key, shortcut])).values()].map(({ key, label }) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {key}
              </kbd>
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
        <dt>
          <kbd className="rounded-sm border border-line-strong bg-sunken px-1.5 py-0.5 font-mono text-xs">Esc</kbd>
        </dt>
        <dd>Close the open panel or dialog</dd>
      </dl>
    </ModalDialog>
  )
}

// Keyboard shortcuts that work everywhere except in text fields, and the list of them for the help dialog.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'

export interface Shortcut {
  /** The value of `KeyboardEvent.key`. */
  key: string
  label: string
  run: () => void
}

interface Registry {
  shortcuts: Shortcut[]
  add: (shortcut: Shortcut) => () => void
}

const Context = createContext<Registry | null>(null)

export function KeyboardProvider({ children }: { children: ReactNode }) {
  const [shortcuts, setShortcuts] = useState<Shortcut[]>([])
  const latest = useRef<Shortcut[]>([])
  latest.current = shortcuts
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (event.key === 'Enter' && isActivatable(event.target)) return
      // The newest shortcut wins, so an open drawer overrides the page under it.
      const found = latest.current.findLast(({ key }) => key === event.key)
      if (found === undefined) return
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const add = useCallback((shortcut: Shortcut) => {
    setShortcuts((all) => [...all, shortcut])
    return () => setShortcuts((all) => all.filter((other) => other !== shortcut))
  }, [])
  const registry = useMemo<Registry>(() => ({ shortcuts, add }), [shortcuts, add])
  return <Context value={registry}>{children}</Context>
}

/** Whether the key press goes into a text field. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Whether `Enter` activates the focused element itself. */
function isActivatable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary, [role=button]') !== null
}

/** Registers a shortcut while the component is mounted. */
export function useShortcut(key: string, label: string, run: () => void) {
  const add = useContext(Context)?.add
  const latest = useRef(run)
  latest.current = run
  useEffect(() => add?.({ key, label, run: () => latest.current() }), [add, key, label])
}

export function useShortcuts(): Shortcut[] {
  return useContext(Context)?.shortcuts ?? []
}

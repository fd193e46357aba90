// Keys that do something, wherever the focus is, and the list of them for the help.
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'

export interface Shortcut {
  /** As `KeyboardEvent.key` has it. */
  key: string
  does: string
  run: () => void
}

interface Registry {
  shown: Shortcut[]
  add: (shortcut: Shortcut) => () => void
}

const Context = createContext<Registry | null>(null)

export function KeyboardProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shortcut[]>([])
  const current = useRef<Shortcut[]>([])
  current.current = shown
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event.target)) return
      if (event.key === 'Enter' && isOperated(event.target)) return
      // The newest wins: a drawer's keys over those of the page under it.
      const found = current.current.findLast(({ key }) => key === event.key)
      if (found === undefined) return
      event.preventDefault()
      found.run()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  const add = useCallback((shortcut: Shortcut) => {
    setShown((all) => [...all, shortcut])
    return () => setShown((all) => all.filter((other) => other !== shortcut))
  }, [])
  const registry = useMemo<Registry>(() => ({ shown, add }), [shown, add])
  return <Context value={registry}>{children}</Context>
}

/** Where keys are letters. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** Where `Enter` is the element's own. */
function isOperated(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('a, button, summary, [role=button]') !== null
}

/** Makes a key do something for as long as the component is on the page. */
export function useShortcut(key: string, does: string, run: () => void) {
  const add = useContext(Context)?.add
  const latest = useRef(run)
  latest.current = run
  useEffect(() => add?.({ key, does, run: () => latest.current() }), [add, key, does])
}

export function useShortcuts(): Shortcut[] {
  return useContext(Context)?.shown ?? []
}

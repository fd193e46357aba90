// Light or dark: what the reader chose, else what the system says.
import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const KEY = 'countersign-theme'
const listeners = new Set<() => void>()

/** What the reader chose; null while the system decides. */
export function chosen(): Theme | null {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : null
}

export function theme(): Theme {
  return chosen() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}

/** Puts the theme on the page. Called before the first paint, and whenever it changes. */
export function applyTheme() {
  document.documentElement.dataset.theme = theme()
  for (const listener of listeners) listener()
}

export function chooseTheme(choice: Theme) {
  localStorage.setItem(KEY, choice)
  applyTheme()
}

export function followSystem() {
  localStorage.removeItem(KEY)
  applyTheme()
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTheme(): Theme {
  return useSyncExternalStore(subscribe, theme)
}

export function useChosenTheme(): Theme | null {
  return useSyncExternalStore(subscribe, chosen)
}

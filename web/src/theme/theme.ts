// The theme: the reader's choice, or else the system's setting.
import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const KEY = 'countersign-theme'
const listeners = new Set<() => void>()

/** The reader's choice, or null to follow the system. */
export function chosenTheme(): Theme | null {
  const value = localStorage.getItem(KEY)
  return value === 'light' || value === 'dark' ? value : null
}

export function currentTheme(): Theme {
  return chosenTheme() ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
}

/** Applies the theme to the page. Called before the first paint and on every change. */
export function applyTheme() {
  document.documentElement.dataset.theme = currentTheme()
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
  return useSyncExternalStore(subscribe, currentTheme)
}

export function useChosenTheme(): Theme | null {
  return useSyncExternalStore(subscribe, chosenTheme)
}

// Components whose code is fetched when they are first shown. If the code can't be fetched, the server went away or has been
// updated, so the page reloads as soon as the server responds.
import { type ComponentType, lazy } from 'react'
import { backoffMs } from './live/connection.ts'

const KEY = 'countersign.reopened'
const RELOAD_INTERVAL_MS_MIN = 60_000

export function lazyComponent<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy(() => load().catch(reload))
}

async function reload(problem: unknown): Promise<never> {
  if (Date.now() - lastReload() < RELOAD_INTERVAL_MS_MIN) throw problem
  for (let failures = 1; !(await isServerUp()); failures++) {
    await new Promise((resolve) => setTimeout(resolve, backoffMs(failures, Math.random())))
  }
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
  // Keeps the loading placeholder until the page is reloaded.
  return new Promise(() => {})
}

function lastReload(): number {
  return Number(sessionStorage.getItem(KEY) ?? 0)
}

function isServerUp(): Promise<boolean> {
  return fetch('/health').then(
    ({ ok }) => ok,
    () => false,
  )
}

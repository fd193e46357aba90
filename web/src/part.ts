// Parts of the page that are fetched when they are first shown. One that can't be fetched was on its way when the server went
// away, or belongs to a version that the server no longer has: once the server answers, the page is opened anew where it is.
import { type ComponentType, lazy } from 'react'
import { backoffMs } from './live/connection.ts'

const KEY = 'countersign.reopened'
const REOPENED_MS_MIN = 60_000

export function part<P>(load: () => Promise<{ default: ComponentType<P> }>) {
  return lazy(() => load().catch(reopen))
}

async function reopen(problem: unknown): Promise<never> {
  if (Date.now() - lastReopened() < REOPENED_MS_MIN) throw problem
  for (let failures = 1; !(await answers()); failures++) {
    await new Promise((after) => setTimeout(after, backoffMs(failures, Math.random())))
  }
  sessionStorage.setItem(KEY, String(Date.now()))
  location.reload()
  // The shape of what comes stays until the page is gone.
  return new Promise(() => {})
}

function lastReopened(): number {
  return Number(sessionStorage.getItem(KEY) ?? 0)
}

function answers(): Promise<boolean> {
  return fetch('/health').then(
    ({ ok }) => ok,
    () => false,
  )
}

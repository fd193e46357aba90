// Parts of the page that are fetched when they are first shown. One that can't be fetched was on its way when the server went
// away, or belongs to a version that the server no longer has: once the server answers, the page is opened anew where it is.
import { type ComponentType, lazy } from 'react'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** What a part needs of the window around it. */
export interface Around {
  answers(): Promise<boolean>
  reload(): void
}

const KEY = 'countersign.reopened'
const REOPENED_MS_MIN = 60_000
const WAIT_MS_MIN = 1_000
const WAIT_MS_MAX = 15_000

export function part<P>(load: Load<P>, around: Around = theWindow) {
  return lazy(() => load().catch((problem: unknown) => reopen(problem, around)))
}

async function reopen(problem: unknown, { answers, reload }: Around): Promise<never> {
  if (Date.now() - lastReopened() < REOPENED_MS_MIN) throw problem
  for (let wait = WAIT_MS_MIN; !(await answers()); wait = Math.min(wait * 2, WAIT_MS_MAX)) {
    await new Promise((after) => setTimeout(after, wait))
  }
  sessionStorage.setItem(KEY, String(Date.now()))
  reload()
  // The shape of what comes stays until the page is gone.
  return new Promise(() => {})
}

function lastReopened(): number {
  return Number(sessionStorage.getItem(KEY) ?? 0)
}

const theWindow: Around = {
  answers: () =>
    fetch('/health').then(
      ({ ok }) => ok,
      () => false,
    ),
  reload: () => location.reload(),
}

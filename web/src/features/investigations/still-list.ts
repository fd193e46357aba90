// Keeps a list still while the reader has scrolled down: new rows wait, and removed rows stay until the reader is back at the top.
import { useState, useSyncExternalStore } from 'react'

interface Placed {
  id: string
  /** Higher is newer; lists have the newest first. */
  seq: number
}

export interface StillList<Row> {
  shown: (Row & { isGone?: boolean })[]
  waiting: number
}

export function keepStill<Row extends Placed>(held: readonly Row[], fresh: readonly Row[]): StillList<Row> {
  const now = new Map(fresh.map((row) => [row.id, row]))
  const known = new Set(held.map(({ id }) => id))
  const oldest = Math.min(...held.map(({ seq }) => seq))
  const added = fresh.filter(({ id }) => !known.has(id))
  const kept = held.map((row) => now.get(row.id) ?? { ...row, isGone: true })
  // Older rows are appended at the end, where they move nothing.
  const older = added.filter(({ seq }) => seq < oldest)
  return { shown: [...kept, ...older], waiting: added.length - older.length }
}

/** The reader has scrolled down if the page is scrolled by more than this. */
const SCROLLED_PX = 120

function watchScroll(listener: () => void) {
  addEventListener('scroll', listener, { passive: true })
  return () => removeEventListener('scroll', listener)
}

/** `list` identifies the list. Another list starts without held rows. */
export function useStillList<Row extends Placed>(list: string, fresh: readonly Row[]): StillList<Row> {
  const isScrolled = useSyncExternalStore(watchScroll, () => scrollY > SCROLLED_PX)
  const [held, setHeld] = useState<{ list: string; rows: readonly Row[] } | null>(null)
  if (!isScrolled || fresh.length === 0) {
    if (held !== null) setHeld(null)
    return { shown: [...fresh], waiting: 0 }
  }
  if (held?.list !== list) {
    setHeld({ list, rows: fresh })
    return { shown: [...fresh], waiting: 0 }
  }
  return keepStill(held.rows, fresh)
}

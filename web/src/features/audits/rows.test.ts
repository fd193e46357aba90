import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AuditLog, compare } from './log.ts'
import {
  below,
  countOf,
  indexOf,
  notLoaded,
  type RowPage,
  type Rows,
  slice,
  withMore,
  withNew,
  withoutTail,
  withTop,
} from './rows.ts'
import { logOf } from './staged.test-env.tsx'

const all = ({ pages }: Rows) => pages.flatMap(({ items }) => items)
const seqs = (rows: Rows) => all(rows).map(({ seq }) => seq)
const logs = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => logOf(to - 1 - at, 0))
const page = (items: AuditLog[], next: RowPage['next'] = null): RowPage => ({ items, next, partial: false })

/** Rows with various times, some of them equal, in any order and with repeats. */
const anyRows = fc.array(
  fc
    .tuple(fc.nat(300), fc.nat(3))
    .map(([seq, shared]) => logOf(seq, 0, { created_at: logOf(seq - (seq % (shared + 1)), 0).created_at })),
  { maxLength: 120 },
)

function withoutDuplicates(found: AuditLog[]): AuditLog[] {
  return [...new Map(found.map((log) => [log.id, log])).values()].sort(compare)
}

describe('new rows', () => {
  it('are newest first and without duplicates, however they are batched', () => {
    fc.assert(
      fc.property(anyRows, fc.integer({ min: 1, max: 50 }), (found, size) => {
        // A row has one time, however often it is repeated.
        const logs = found.map((log) => found.find(({ id }) => id === log.id) as AuditLog)
        let rows: Rows = { pages: [page([])] }
        for (let at = 0; at < logs.length; at += size) rows = withNew(rows, logs.slice(at, at + size))
        expect(all(rows)).toEqual(withoutDuplicates(logs))
      }),
      { numRuns: 300 },
    )
  })

  it('leave other pages untouched, however many there are', () => {
    const pages = Array.from({ length: 500 }, (_, at) =>
      page(logs(100_000 - (at + 1) * 200, 100_000 - at * 200), { after: `${at}` }),
    )
    const rows = withNew({ pages }, logs(100_000, 100_020))
    expect(countOf(rows)).toBe(100_020)
    expect(rows.pages.slice(1)).toEqual(pages.slice(1))
    for (const [at, kept] of rows.pages.entries()) if (at > 0) expect(kept).toBe(pages[at])
  })

  it('change nothing if all of them are known', () => {
    const rows = { pages: [page(logs(0, 100))] }
    expect(withNew(rows, logs(20, 60))).toBe(rows)
    expect(notLoaded(rows, logs(90, 110)).map(({ seq }) => seq)).toEqual(logs(100, 110).map(({ seq }) => seq))
  })

  it('older than the last loaded row are skipped', () => {
    const rows = { pages: [page(logs(50, 100), { after: 'c' })] }
    expect(withNew(rows, [logOf(10, 0)])).toBe(rows)
    expect(seqs(withNew({ pages: [page(logs(50, 100))] }, [logOf(10, 0)])).at(-1)).toBe(10)
  })

  it('never let the first page grow past its bound', () => {
    let rows: Rows = { pages: [page(logs(0, 200), { after: 'old' })] }
    for (let seq = 200; seq < 3_000; seq += 40) rows = withNew(rows, logs(seq, seq + 40))
    expect(Math.max(...rows.pages.map(({ items }) => items.length))).toBeLessThanOrEqual(500)
    expect(seqs(rows)).toEqual(logs(0, 3_000).map(({ seq }) => seq))
    expect(rows.pages.at(-1)?.next).toEqual({ after: 'old' })
  })
})

describe('the tail', () => {
  it('is cut in whole pages, and the last page kept knows where to continue', () => {
    let rows: Rows = { pages: [page(logs(0, 200), { after: 'old' })] }
    for (let seq = 200; seq < 9_000; seq += 200) rows = withoutTail(withNew(rows, logs(seq, seq + 200)), 5_000)
    expect(countOf(rows)).toBeGreaterThanOrEqual(5_000)
    expect(countOf(rows)).toBeLessThan(5_500)
    const last = all(rows).at(-1) as AuditLog
    expect(rows.pages.at(-1)?.next).toEqual({ below: last })
    const more = page(below(last, [last, ...logs(last.seq - 50, last.seq)]))
    expect(seqs(withMore(rows, rows.pages.at(-1)?.next ?? null, more))).toEqual(
      logs(last.seq - 50, 9_000).map(({ seq }) => seq),
    )
  })

  it('is not extended by a page that was requested at another end', () => {
    const rows = { pages: [page(logs(50, 100), { after: 'c' })] }
    expect(withMore(rows, { after: 'elsewhere' }, page(logs(0, 10)))).toBe(rows)
  })
})

describe('a first page that is loaded again', () => {
  it('is merged if it overlaps the loaded rows', () => {
    const rows = { pages: [page(logs(0, 50))] }
    expect(seqs(withTop(rows, page(logs(40, 60), { after: 'c' })))).toEqual(logs(0, 60).map(({ seq }) => seq))
  })

  it('replaces the loaded rows if there would be a gap', () => {
    const rows = { pages: [page(logs(0, 50))] }
    const top = page(logs(60, 80), { after: 'c' })
    expect(withTop(rows, top)).toEqual({ pages: [top] })
  })
})

it('rows are found by index and by id across pages', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(30), { maxLength: 8 }), fc.nat(250), fc.nat(60), (sizes, start, count) => {
      const ends = sizes.map((_, at) => 10_000 - sizes.slice(0, at).reduce((sum, size) => sum + size, 0))
      const rows = { pages: sizes.map((size, at) => page(logs((ends[at] ?? 0) - size, ends[at] ?? 0))) }
      expect(slice(rows, start, start + count)).toEqual(all(rows).slice(start, start + count))
      const [one] = slice(rows, start, start + 1)
      if (one !== undefined) expect(indexOf(rows, one.id)).toBe(start)
      expect(indexOf(rows, 'none')).toBe(-1)
    }),
  )
})

import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Problem } from '@/api/problem.ts'
import { type TestLog, testLog } from '@/testing/log.ts'
import type { Leaf } from './queries.ts'
import { type Source, verifyLog } from './verify-log.ts'

const SIZES_MAX = 40

function source({ leaves, note, key }: Pick<TestLog, 'leaves' | 'note' | 'key'>): Source {
  return {
    note: async () => note,
    key: async () => key,
    leaves: async (from, limit) => leaves.slice(from, from + limit),
  }
}

function verify(from: Source, pageLeaves = 7, signal = new AbortController().signal) {
  return verifyLog(from, { pageLeaves, signal, onProgress: () => {} })
}

const logs = Array.from({ length: SIZES_MAX + 1 }, (_, size) => testLog(size))
const log = fc.integer({ min: 1, max: SIZES_MAX }).map((size) => logs[size] as TestLog)
const place = log.chain((log) => fc.tuple(fc.constant(log), fc.nat(log.leaves.length - 1)))

test('a log of any size verifies, in pages of any size', async () => {
  for (const log of logs) {
    for (const pageLeaves of [1, 7, 1000]) {
      expect(await verify(source(log), pageLeaves)).toMatchObject({
        state: 'proven',
        checkpoint: { size: log.leaves.length, origin: 'countersign/test' },
      })
    }
  }
})

test('progress is reported from 0 to the end', async () => {
  const reported: [number, number][] = []
  const control = new AbortController()
  const onProgress = (checked: number, size: number) => void reported.push([checked, size])
  await verifyLog(source(logs[20] as TestLog), { pageLeaves: 7, signal: control.signal, onProgress })
  expect(reported[0]).toEqual([0, 20])
  expect(reported.at(-1)).toEqual([20, 20])
})

test('any character changed in any header is found', async () => {
  await fc.assert(
    fc.asyncProperty(place, fc.nat(), fc.integer({ min: 33, max: 126 }), async ([log, index], where, code) => {
      const header = log.headers[index] as string
      const at = where % header.length
      const char = String.fromCharCode(code)
      fc.pre(header[at] !== char)
      const changed = { index, header: header.slice(0, at) + char + header.slice(at + 1) }
      expect(await verify(source({ ...log, leaves: log.leaves.with(index, changed) }))).toMatchObject({
        state: 'failed',
      })
    }),
    { numRuns: 200 },
  )
})

test('a missing leaf is found and named, even if the others are renumbered', async () => {
  await fc.assert(
    fc.asyncProperty(place, fc.boolean(), async ([log, index], moveUp) => {
      const left = log.leaves.filter((leaf) => leaf.index !== index)
      const leaves = moveUp ? left.map(({ header }, at): Leaf => ({ index: at, header })) : left
      expect(await verify(source({ ...log, leaves }))).toMatchObject({ state: 'failed', index })
    }),
    { numRuns: 100 },
  )
})

test('two swapped leaves are found', async () => {
  await fc.assert(
    fc.asyncProperty(place, fc.nat(), async ([log, one], pick) => {
      const other = pick % log.leaves.length
      fc.pre(one !== other)
      const headers = log.headers.with(one, log.headers[other] as string).with(other, log.headers[one] as string)
      const leaves = headers.map((header, index) => ({ index, header }))
      const verdict = await verify(source({ ...log, leaves }))
      expect(verdict).toMatchObject({ state: 'failed', index: Math.min(one, other) })
    }),
    { numRuns: 100 },
  )
})

test('a note with any character changed is refused', async () => {
  await fc.assert(
    fc.asyncProperty(log, fc.nat(), fc.integer({ min: 33, max: 126 }), async (log, where, code) => {
      const at = where % log.note.length
      const char = String.fromCharCode(code)
      fc.pre(log.note[at] !== char)
      const note = log.note.slice(0, at) + char + log.note.slice(at + 1)
      expect(await verify(source({ ...log, note }))).toMatchObject({ state: 'failed' })
    }),
    { numRuns: 200 },
  )
})

test('an unreachable server is not a verdict', async () => {
  const problem = new Problem('network', null, null)
  const honest = source(logs[20] as TestLog)
  await expect(verify({ ...honest, note: () => Promise.reject(problem) })).rejects.toBe(problem)
  const halfway = (from: number, limit: number) => (from === 0 ? honest.leaves(from, limit) : Promise.reject(problem))
  await expect(verify({ ...honest, leaves: halfway })).rejects.toBe(problem)
})

test('a cancelled check stops its requests and has no verdict', async () => {
  const control = new AbortController()
  const honest = source(logs[20] as TestLog)
  const leaves = vi.fn((from: number, limit: number) => {
    if (from >= 4) control.abort()
    return honest.leaves(from, limit)
  })
  await expect(verify({ ...honest, leaves }, 2, control.signal)).rejects.toThrow()
  expect(leaves.mock.calls.length).toBeLessThan(10)
})

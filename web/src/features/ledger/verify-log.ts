// Verifies the whole log in the browser: hashes every leaf, builds the tree, and compares its root with the signed root.
// The server only supplies the leaves; nothing it claims is trusted.
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Accumulator, leafHash, sameBytes } from '@/ledger/merkle.ts'
import { type Checkpoint, verifyNote } from '@/ledger/note.ts'
import type { Leaf } from './queries.ts'

export interface Source {
  note: () => Promise<string>
  key: () => Promise<string>
  leaves: (from: number, limit: number) => Promise<Leaf[]>
}

export type VerificationResult =
  | { state: 'proven'; checkpoint: Checkpoint }
  /** `index` is the first wrong leaf, or null if it can't be determined. */
  | { state: 'failed'; why: string; index: number | null }

interface Options {
  pageLeaves: number
  signal: AbortSignal
  onProgress: (checked: number, size: number) => void
}

/** Hashing pauses after this long, so that the page stays responsive. */
const SLICE_MS = 12

/** Throws only if a request fails or the run is cancelled. */
export async function verifyLog(source: Source, options: Options): Promise<VerificationResult> {
  const [note, key] = await Promise.all([source.note(), source.key()])
  try {
    const checkpoint = await verifyNote(note, key)
    const root = await rebuild(source, checkpoint.size, options)
    if (!sameBytes(root, checkpoint.root)) {
      throw new Mismatch('the headers do not produce the signed root, so at least one of them was changed', null)
    }
    return { state: 'proven', checkpoint }
  } catch (problem) {
    if (problem instanceof Mismatch) return { state: 'failed', why: problem.message, index: problem.index }
    // Any other error is an invalid signature, unless the source failed or the run was cancelled.
    if (problem instanceof SourceFailure) throw problem.cause
    if (options.signal.aborted) throw problem
    return { state: 'failed', why: problem instanceof Error ? problem.message : String(problem), index: null }
  }
}

class Mismatch extends Error {
  constructor(
    message: string,
    readonly index: number | null,
  ) {
    super(message)
  }
}

class SourceFailure extends Error {}

async function rebuild(source: Source, size: number, options: Options): Promise<Uint8Array> {
  const tree = new Accumulator()
  const read = (from: number) => {
    const reading = source.leaves(from, Math.min(options.pageLeaves, size - from))
    return reading.catch((cause: unknown) => Promise.reject(new SourceFailure('', { cause })))
  }
  const yieldIfDue = yielder()
  options.onProgress(0, size)
  let next = size > 0 ? read(0) : null
  while (next !== null) {
    const page = (await next).slice(0, size - tree.size)
    options.signal.throwIfAborted()
    if (page.length === 0) throw new Mismatch(`leaf ${tree.size} is missing`, tree.size)
    const end = tree.size + page.length
    // Request the next page while this one is hashed.
    next = end < size ? read(end) : null
    next?.catch(() => {})
    for (const { header } of page) {
      check(header, tree.size)
      tree.push(leafHash(utf8ToBytes(header)))
      if (await yieldIfDue()) {
        options.onProgress(tree.size, size)
        options.signal.throwIfAborted()
      }
    }
    options.onProgress(tree.size, size)
  }
  return tree.root()
}

/** The position in the header counts, not the index in the response. */
function check(header: string, expected: number) {
  const { seq } = parseHeader(header, expected)
  if (seq === expected) return
  throw new Mismatch(`leaf ${expected} is missing: leaf ${String(seq)} is in its place`, expected)
}

function parseHeader(header: string, index: number): { seq?: unknown } {
  try {
    const fields: unknown = JSON.parse(header)
    if (typeof fields === 'object' && fields !== null) return fields
  } catch {
    // Reported below.
  }
  throw new Mismatch(`the header of leaf ${index} can’t be read`, index)
}

/** Yields to the page's other work once the time slice is used up, and returns true if it did. */
function yielder(): () => Promise<boolean> | false {
  let since = performance.now()
  return () => {
    if (performance.now() - since < SLICE_MS) return false
    return new Promise((resolve) =>
      setTimeout(() => {
        since = performance.now()
        resolve(true)
      }),
    )
  }
}

// The whole log, checked here: every leaf is hashed, the tree is built, and its root must be the one that was signed. The
// server is asked for leaves and believed in nothing.
import { utf8ToBytes } from '@noble/hashes/utils.js'
import { Accumulator, leafHash, sameBytes } from '@/ledger/merkle.ts'
import { type Checkpoint, verifyNote } from '@/ledger/note.ts'
import type { Leaf } from './queries.ts'

export interface Source {
  note: () => Promise<string>
  key: () => Promise<string>
  leaves: (from: number, limit: number) => Promise<Leaf[]>
}

export type Verdict =
  | { state: 'proven'; checkpoint: Checkpoint }
  /** `index` is the leaf where it shows, where one leaf can be named. */
  | { state: 'failed'; why: string; index: number | null }

interface Options {
  pageLeaves: number
  signal: AbortSignal
  onProgress: (checked: number, size: number) => void
}

/** Hashing this long, the page answers to its reader in between. */
const SLICE_MS = 12

/** Throws only where the server can't be asked, or when it is cancelled. */
export async function verifyLog(source: Source, options: Options): Promise<Verdict> {
  const [note, key] = await Promise.all([source.note(), source.key()])
  try {
    const checkpoint = await verifyNote(note, key)
    const root = await rebuild(source, checkpoint.size, options)
    if (!sameBytes(root, checkpoint.root)) {
      throw new Mismatch('the headers don’t add up to the signed root: at least one of them was changed', null)
    }
    return { state: 'proven', checkpoint }
  } catch (problem) {
    if (problem instanceof Mismatch) return { state: 'failed', why: problem.message, index: problem.index }
    // A signature that does not hold; everything else that can go wrong comes from the source.
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
  const breathe = breather()
  options.onProgress(0, size)
  let next = size > 0 ? read(0) : null
  while (next !== null) {
    const page = (await next).slice(0, size - tree.size)
    options.signal.throwIfAborted()
    if (page.length === 0) throw new Mismatch(`leaf ${tree.size} is missing`, tree.size)
    const end = tree.size + page.length
    // The next page travels while this one is hashed.
    next = end < size ? read(end) : null
    next?.catch(() => {})
    for (const { header } of page) {
      check(header, tree.size)
      tree.push(leafHash(utf8ToBytes(header)))
      if (await breathe()) {
        options.onProgress(tree.size, size)
        options.signal.throwIfAborted()
      }
    }
    options.onProgress(tree.size, size)
  }
  return tree.root()
}

/** Where a leaf stands is what its header says, not what the answer around it says. */
function check(header: string, expected: number) {
  const { seq } = parsed(header, expected)
  if (seq === expected) return
  throw new Mismatch(`leaf ${expected} is missing: leaf ${String(seq)} stands in its place`, expected)
}

function parsed(header: string, index: number): { seq?: unknown } {
  try {
    const fields: unknown = JSON.parse(header)
    if (typeof fields === 'object' && fields !== null) return fields
  } catch {
    // Said below.
  }
  throw new Mismatch(`the header of leaf ${index} can’t be read`, index)
}

/** Waits for the page's other work once a slice of time is used up, and says that it did. */
function breather(): () => Promise<boolean> | false {
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

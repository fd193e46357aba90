// The Merkle tree of RFC 6962, as far as verification needs it: checking that a leaf is in a tree, and computing the root
// from all leaves. Sizes are JavaScript numbers, exact up to 2^53. They are halved by division, because bit shifts would cut
// them to 32 bits.
import { sha256 } from '@noble/hashes/sha2.js'

const LEAF = Uint8Array.of(0x00)
const NODE = Uint8Array.of(0x01)
const HASH_BYTES = 32

/** `SHA-256(0x00 || header)`. */
export function leafHash(header: Uint8Array): Uint8Array {
  return sha256.create().update(LEAF).update(header).digest()
}

/** `SHA-256(0x01 || left || right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(NODE).update(left).update(right).digest()
}

/** The root that a leaf and its proof produce. It proves something only if it equals the root of a signed checkpoint. */
export function rootFromInclusion(leaf: Uint8Array, index: number, size: number, proof: Uint8Array[]): Uint8Array {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size) {
    throw new Error(`leaf ${index} is not in a log of ${size}`)
  }
  let root = leaf
  let [at, last] = [index, size - 1]
  for (const sibling of proof) {
    if (last === 0) throw new Error('the proof is too long')
    if (sibling.length !== HASH_BYTES) throw new Error('the proof contains something that is not a hash')
    const isRight = at % 2 === 1
    root = isRight || at === last ? nodeHash(sibling, root) : nodeHash(root, sibling)
    // At the right edge, levels without a left sibling are skipped: the node is carried up as it is.
    while (!isRight && at === last && at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    ;[at, last] = [half(at), half(last)]
  }
  if (last !== 0) throw new Error('the proof is too short')
  return root
}

/** Computes the root of all leaves pushed so far. Keeps only one hash for each complete subtree. */
export class Accumulator {
  #size = 0
  #peaks: Uint8Array[] = []

  get size(): number {
    return this.#size
  }

  push(leaf: Uint8Array) {
    let node = leaf
    // An odd index is a right child: its left sibling is the last peak.
    for (let index = this.#size; index % 2 === 1; index = half(index)) {
      node = nodeHash(this.#peaks.pop() as Uint8Array, node)
    }
    this.#peaks.push(node)
    this.#size += 1
  }

  root(): Uint8Array {
    if (this.#peaks.length === 0) return sha256(new Uint8Array())
    return this.#peaks.reduceRight((right, left) => nodeHash(left, right))
  }
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

function half(number: number): number {
  return Math.floor(number / 2)
}

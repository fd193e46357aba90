import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Accumulator, leafHash, nodeHash, rootFromInclusion } from './merkle.ts'

/** The test vectors that implementations of RFC 6962 share: leaves, and the roots of the first 0 to 8 of them. */
const LEAVES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

const leaves = (size: number) =>
  Array.from({ length: size }, (_, at) => leafHash(new TextEncoder().encode(`leaf ${at}`)))

/** A direct implementation of the definition in RFC 6962. */
function treeRoot(hashes: Uint8Array[]): Uint8Array {
  if (hashes.length === 1) return hashes[0] as Uint8Array
  const middle = split(hashes.length)
  return nodeHash(treeRoot(hashes.slice(0, middle)), treeRoot(hashes.slice(middle)))
}

function path(index: number, hashes: Uint8Array[]): Uint8Array[] {
  if (hashes.length === 1) return []
  const middle = split(hashes.length)
  return index < middle
    ? [...path(index, hashes.slice(0, middle)), treeRoot(hashes.slice(middle))]
    : [...path(index - middle, hashes.slice(middle)), treeRoot(hashes.slice(0, middle))]
}

function split(size: number): number {
  let middle = 1
  while (middle * 2 < size) middle *= 2
  return middle
}

const place = fc.integer({ min: 1, max: 70 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)))

describe('the accumulator', () => {
  it('gives the published roots', () => {
    const tree = new Accumulator()
    const roots = [bytesToHex(tree.root())]
    for (const leaf of LEAVES) {
      tree.push(leafHash(hexToBytes(leaf)))
      roots.push(bytesToHex(tree.root()))
    }
    expect(roots).toEqual(ROOTS)
    expect(tree.size).toBe(8)
  })

  it('gives the root as defined by RFC 6962 for every size', () => {
    const tree = new Accumulator()
    for (const [at, leaf] of leaves(130).entries()) {
      tree.push(leaf)
      expect(tree.root(), `${at + 1}`).toEqual(treeRoot(leaves(at + 1)))
    }
  })
})

describe('an inclusion proof', () => {
  it('leads to the root from every leaf of every tree', () => {
    for (let size = 1; size <= 40; size += 1) {
      const all = leaves(size)
      for (const [index, leaf] of all.entries()) {
        expect(rootFromInclusion(leaf, index, size, path(index, all)), `${index} of ${size}`).toEqual(treeRoot(all))
      }
    }
  })

  it('leads to another root if any part of it, the leaf or the index differs', () => {
    fc.assert(
      fc.property(place, fc.nat(), fc.nat(255), ([size, index], which, bit) => {
        const all = leaves(size)
        const parts = [all[index] as Uint8Array, ...path(index, all)].map((part) => part.slice())
        const spoiled = parts[which % parts.length] as Uint8Array
        spoiled[bit >> 3] = (spoiled[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const [leaf, ...proof] = parts as [Uint8Array, ...Uint8Array[]]
        expect(rootFromInclusion(leaf, index, size, proof)).not.toEqual(treeRoot(all))
      }),
    )
  })

  it('is refused if it is too short, too long, outside the tree or not made of hashes', () => {
    fc.assert(
      fc.property(place, ([size, index]) => {
        const all = leaves(size)
        const leaf = all[index] as Uint8Array
        const proof = path(index, all)
        expect(() => rootFromInclusion(leaf, index, size, [...proof, leaf])).toThrow('too long')
        if (proof.length > 0) {
          expect(() => rootFromInclusion(leaf, index, size, proof.slice(1))).toThrow('too short')
          expect(() => rootFromInclusion(leaf, index, size, [leaf.slice(1), ...proof.slice(1)])).toThrow('not a hash')
        }
        expect(() => rootFromInclusion(leaf, size, size, proof)).toThrow('is not in a log')
        expect(() => rootFromInclusion(leaf, -1, size, proof)).toThrow('is not in a log')
        expect(() => rootFromInclusion(leaf, 0.5, size, proof)).toThrow('is not in a log')
      }),
    )
  })

  it('works for sizes beyond 32 bits', () => {
    const size = 2 ** 40 + 1
    const sibling = leafHash(new Uint8Array())
    expect(rootFromInclusion(sibling, size - 1, size, [sibling])).toEqual(nodeHash(sibling, sibling))
  })
})

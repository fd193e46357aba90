// Proves one leaf in the browser: its header is hashed, the inclusion proof leads to a root, the root is part of a
// checkpoint, and the checkpoint is signed with the published key. Nothing that the server claims is trusted.
import { hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { api, type Schemas, take } from '@/api/client.ts'
import { commitment } from './commitment.ts'
import { leafHash, rootFromInclusion, sameBytes } from './merkle.ts'
import { type Checkpoint, verifyNote } from './note.ts'

export type Proof =
  /** `body` is the content that the leaf commits to, if the server still has it. */
  | { state: 'proven'; index: number; size: number; origin: string; body: ProvenBody }
  /** The leaf is newer than the last checkpoint; the next one will cover it. */
  | { state: 'unsigned'; index: number; size: number }
  | { state: 'failed'; index: number; why: string }

type ProvenBody = { state: 'proven'; payload: unknown } | { state: 'erased' } | { state: 'not given' }

type Leaf = Schemas['Leaf']

/** Checks that the event with this id is leaf `index` of the signed log. Throws only if a request fails. */
export async function proveLeaf(index: number, eventId: string, signal?: AbortSignal): Promise<Proof> {
  const asText = { parseAs: 'text', ...(signal && { signal }) } as const
  const [note, key] = await Promise.all([
    take(api.GET('/api/ledger/checkpoint', asText)),
    take(api.GET('/api/ledger/key', asText)),
  ])
  const checkpoint = await verifyNote(note, key).catch((problem: Error) => problem)
  if (checkpoint instanceof Error) return { state: 'failed', index, why: checkpoint.message }
  const { size } = checkpoint
  if (index >= size) return { state: 'unsigned', index, size }
  const [leaf, inclusion] = await Promise.all([
    take(api.GET('/api/ledger/leaf/{index}', { params: { path: { index } }, ...(signal && { signal }) })),
    take(api.GET('/api/ledger/inclusion', { params: { query: { index, size } }, ...(signal && { signal }) })),
  ])
  try {
    return { ...provenLeaf(leaf, inclusion.proof, index, eventId, checkpoint), index }
  } catch (problem) {
    return { state: 'failed', index, why: problem instanceof Error ? problem.message : String(problem) }
  }
}

function provenLeaf(leaf: Leaf, proof: string[], index: number, eventId: string, checkpoint: Checkpoint): Proof {
  const { size, origin } = checkpoint
  const root = rootFromInclusion(leafHash(utf8ToBytes(leaf.header)), index, size, proof.map(hexToBytes))
  if (!sameBytes(root, checkpoint.root)) throw new Error('the path does not lead to the signed root')
  const header = JSON.parse(leaf.header) as { event_id?: unknown; commitment?: unknown }
  if (header.event_id !== eventId) throw new Error('the leaf belongs to another event')
  return { state: 'proven', index, size, origin, body: provenBody(leaf, header.commitment) }
}

/** Checks the content against the commitment in the header; the tree does not contain the content itself. */
function provenBody({ salt, payload_json, metadata_json }: Leaf, committed: unknown): ProvenBody {
  if (salt === undefined || payload_json === undefined || metadata_json === undefined) return { state: 'not given' }
  if (salt === null || payload_json === null || metadata_json === null) return { state: 'erased' }
  if (commitment(salt, payload_json, metadata_json) !== committed)
    throw new Error('the content is not what the leaf commits to')
  return { state: 'proven', payload: JSON.parse(payload_json) }
}

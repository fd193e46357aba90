// The proof of one event in four steps, from the content on the page to the published key. Each step says what was computed.
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { number } from '@/components/ui/value.tsx'
import { commitment } from '@/ledger/commitment.ts'
import { leafHash, rootFromInclusion, sameBytes } from '@/ledger/merkle.ts'
import { verifyNote } from '@/ledger/note.ts'
import type { StoredEvent, WholeLeaf } from './queries.ts'

export interface ProofInputs {
  event: StoredEvent
  leaf: WholeLeaf
  note: string
  key: string
  /** The path from the leaf to the root of a log of this size, in hex. */
  inclusion: (size: number) => Promise<string[]>
}

export type StepName = 'content' | 'header' | 'signature' | 'tree'

export interface ProofStep {
  name: StepName
  /** `open` if the step could not be checked. */
  state: 'holds' | 'fails' | 'open'
  /** A sentence about what was computed, or why not. */
  text: string
  hash?: string
}

export async function proofSteps(inputs: ProofInputs): Promise<ProofStep[]> {
  const { leaf } = inputs
  const steps: ProofStep[] = [step('content', () => content(inputs)), step('header', () => header(inputs))]
  const hash = leafHash(utf8ToBytes(leaf.header))
  const checkpoint = await verifyNote(inputs.note, inputs.key).catch((problem: Error) => problem)
  if (checkpoint instanceof Error) {
    const unsigned: ProofStep = { name: 'tree', state: 'open', text: 'Not checked, because there is no signed root.' }
    return [...steps, unsigned, { name: 'signature', state: 'fails', text: sentence(checkpoint.message) }]
  }
  const { size, root, origin } = checkpoint
  if (leaf.index >= size) {
    const text = `The last checkpoint covers ${number(size)} events; the next one follows within a second and will cover this event.`
    return [...steps, { name: 'tree', state: 'open', text, hash: bytesToHex(hash) }]
  }
  const path = await inputs.inclusion(size)
  const tree = step('tree', () => {
    const reached = rootFromInclusion(hash, leaf.index, size, path.map(hexToBytes))
    if (!sameBytes(reached, root)) throw new Error('the path does not lead to the signed root')
    const siblings = `${path.length} sibling ${path.length === 1 ? 'hash' : 'hashes'}`
    const text = `The header’s hash and ${siblings} lead to the root of ${number(size)} events.`
    return { state: 'holds', text, hash: bytesToHex(root) }
  })
  return [
    ...steps,
    tree,
    { name: 'signature', state: 'holds', text: `${origin} signed this root with its published key.` },
  ]
}

type StepResult = Omit<ProofStep, 'name'>

function step(name: StepName, check: () => StepResult): ProofStep {
  try {
    return { name, ...check() }
  } catch (problem) {
    return { name, state: 'fails', text: sentence(problem instanceof Error ? problem.message : String(problem)) }
  }
}

function content({ event, leaf }: ProofInputs): StepResult {
  const { salt, payload_json, metadata_json } = leaf
  if (salt === undefined || payload_json === undefined || metadata_json === undefined) {
    return { state: 'open', text: 'The server did not provide the exact text and its salt.' }
  }
  if (salt === null || payload_json === null || metadata_json === null) {
    if (event.payload) throw new Error('the server shows content that it says was erased')
    return { state: 'open', text: 'The content was erased. What remains is the commitment to it in the header.' }
  }
  const hash = commitment(salt, payload_json, metadata_json)
  if (fields(leaf.header).commitment !== hash) throw new Error('the content is not what the header commits to')
  if (!isSame(JSON.parse(payload_json), event.payload) || !isSame(JSON.parse(metadata_json), event.metadata)) {
    throw new Error('the content on this page differs from the content that the header commits to')
  }
  return { state: 'holds', text: 'Salt, payload and metadata hash to the commitment in the header.', hash }
}

const SHOWN = [
  'seq',
  'event_id',
  'event_type',
  'occurred_at',
  'recorded_at',
  'producer',
  'correlation_id',
  'causation_id',
  'schema_version',
] as const

function header({ event, leaf }: ProofInputs): StepResult {
  const signed = fields(leaf.header)
  const differing = SHOWN.find((field) => !isSame(signed[field] ?? null, event[field] ?? null))
  if (differing !== undefined) throw new Error(`the ${differing} on this page differs from the header`)
  if (leaf.index !== event.seq) throw new Error('the header belongs to another position in the log')
  const hash = bytesToHex(leafHash(utf8ToBytes(leaf.header)))
  return { state: 'holds', text: 'The values on this page match the header, which hashes to this leaf.', hash }
}

function fields(header: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(header)
  if (typeof parsed !== 'object' || parsed === null) throw new Error('the header can’t be read')
  return parsed as Record<string, unknown>
}

/** Compares two JSON values. The order of fields does not matter. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other || (one ?? null) === (other ?? null)
  }
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(fieldOf(one, name), fieldOf(other, name)))
  )
}

function fieldOf(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

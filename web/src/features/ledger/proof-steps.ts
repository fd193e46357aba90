// From what the page shows of an event to the published key, a step at a time. Each step says what was computed here.
import { bytesToHex, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { number } from '@/components/ui/value.tsx'
import { commitment } from '@/ledger/commitment.ts'
import { leafHash, rootFromInclusion, sameBytes } from '@/ledger/merkle.ts'
import { verifyNote } from '@/ledger/note.ts'
import type { StoredEvent, WholeLeaf } from './queries.ts'

export interface Evidence {
  event: StoredEvent
  leaf: WholeLeaf
  note: string
  key: string
  /** The path from the leaf to the root of a log of this size, in hex. */
  inclusion: (size: number) => Promise<string[]>
}

export type StepName = 'content' | 'header' | 'signature' | 'tree'

export interface Step {
  name: StepName
  /** `open`: neither holds nor fails, because something is not there to check with. */
  state: 'holds' | 'fails' | 'open'
  says: string
  hash?: string
}

export async function proofSteps(evidence: Evidence): Promise<Step[]> {
  const { leaf } = evidence
  const steps: Step[] = [step('content', () => content(evidence)), step('header', () => header(evidence))]
  const hash = leafHash(utf8ToBytes(leaf.header))
  const checkpoint = await verifyNote(evidence.note, evidence.key).catch((problem: Error) => problem)
  if (checkpoint instanceof Error) {
    const unsigned: Step = { name: 'tree', state: 'open', says: 'Without a signed root there is nothing to lead to.' }
    return [...steps, unsigned, { name: 'signature', state: 'fails', says: sentence(checkpoint.message) }]
  }
  const { size, root, origin } = checkpoint
  if (leaf.index >= size) {
    const says = `The last checkpoint covers ${number(size)} events; the next one, within a second, will cover this one.`
    return [...steps, { name: 'tree', state: 'open', says, hash: bytesToHex(hash) }]
  }
  const path = await evidence.inclusion(size)
  const tree = step('tree', () => {
    const reached = rootFromInclusion(hash, leaf.index, size, path.map(hexToBytes))
    if (!sameBytes(reached, root)) throw new Error('the path does not lead to the signed root')
    const says = `The header’s hash and ${path.length} hashes beside its path lead to the root of ${number(size)} events.`
    return { state: 'holds', says, hash: bytesToHex(root) }
  })
  return [
    ...steps,
    tree,
    { name: 'signature', state: 'holds', says: `${origin} signed this root with its published key.` },
  ]
}

type Outcome = Omit<Step, 'name'>

function step(name: StepName, check: () => Outcome): Step {
  try {
    return { name, ...check() }
  } catch (problem) {
    return { name, state: 'fails', says: sentence(problem instanceof Error ? problem.message : String(problem)) }
  }
}

function content({ event, leaf }: Evidence): Outcome {
  const { salt, payload_json, metadata_json } = leaf
  if (salt === undefined || payload_json === undefined || metadata_json === undefined) {
    return { state: 'open', says: 'The server does not give the exact text and its salt.' }
  }
  if (salt === null || payload_json === null || metadata_json === null) {
    if (event.payload) throw new Error('the server shows a content that it says was erased')
    return { state: 'open', says: 'The content was erased. What remains is the commitment to it in the header.' }
  }
  const hash = commitment(salt, payload_json, metadata_json)
  if (fields(leaf.header).commitment !== hash) throw new Error('the content is not what the header commits to')
  if (!isSame(JSON.parse(payload_json), event.payload) || !isSame(JSON.parse(metadata_json), event.metadata)) {
    throw new Error('the content on this page is not the one that the header commits to')
  }
  return { state: 'holds', says: 'Salt, payload and metadata hash to the commitment in the header.', hash }
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

function header({ event, leaf }: Evidence): Outcome {
  const signed = fields(leaf.header)
  const differing = SHOWN.find((field) => !isSame(signed[field] ?? null, event[field] ?? null))
  if (differing !== undefined) throw new Error(`the page shows another ${differing} than the header has`)
  if (leaf.index !== event.seq) throw new Error('the header is that of another place in the log')
  const hash = bytesToHex(leafHash(utf8ToBytes(leaf.header)))
  return { state: 'holds', says: 'What this page shows is what stands in the header, which hashes to this leaf.', hash }
}

function fields(header: string): Record<string, unknown> {
  const read: unknown = JSON.parse(header)
  if (typeof read !== 'object' || read === null) throw new Error('the header can’t be read')
  return read as Record<string, unknown>
}

/** Of two JSON values. The order of an object's fields says nothing. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return one === other || (one ?? null) === (other ?? null)
  }
  const [names, others] = [Object.keys(one), Object.keys(other)]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    names.length === others.length &&
    names.every((name) => Object.hasOwn(other, name) && isSame(at(one, name), at(other, name)))
  )
}

function at(object: object, name: string): unknown {
  return (object as Record<string, unknown>)[name]
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

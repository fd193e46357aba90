// A small signed log for tests, signed with a test key.
import { getPublicKey, sign } from '@noble/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { Accumulator, leafHash } from '@/ledger/merkle.ts'
// Imported for its side effect: it sets the hash function of the signature library.
import '@/ledger/note.ts'

const NAME = 'countersign/test'
const SECRET = sha256(utf8ToBytes('a secret for these tests'))

export const SALT = '07'.repeat(32)
export const METADATA = '{"route":"/process-agent"}'

export interface TestLog {
  headers: string[]
  leaves: { index: number; header: string }[]
  key: string
  note: string
}

export function eventId(seq: number): string {
  return `01a1e0f7-0000-7000-8000-${String(seq).padStart(12, '0')}`
}

export function payload(seq: number): string {
  return `{"query":"question ${seq}"}`
}

/** A log in which each event was caused by the previous one. */
export function testLog(size: number): TestLog {
  const headers = Array.from({ length: size }, (_, seq) => headerOf(seq))
  const leaves = headers.map((header, index) => ({ index, header }))
  const publicKey = getPublicKey(SECRET)
  const id = sha256(concatBytes(utf8ToBytes(`${NAME}\n`), Uint8Array.of(1), publicKey)).subarray(0, 4)
  const key = `${NAME}+${bytesToHex(id)}+${base64(concatBytes(Uint8Array.of(1), publicKey))}\n`
  const text = `${NAME}\n${size}\n${base64(rootOf(headers))}\n`
  const signature = concatBytes(id, sign(utf8ToBytes(text), SECRET))
  return { headers, leaves, key, note: `${text}\n— ${NAME} ${base64(signature)}\n` }
}

function headerOf(seq: number): string {
  const body = utf8ToBytes(payload(seq) + METADATA)
  return JSON.stringify({
    seq,
    event_id: eventId(seq),
    event_type: 'ANSWER_RECORDED',
    occurred_at: '2026-11-15T20:00:00.000000Z',
    recorded_at: '2026-11-15T20:00:00.000001Z',
    producer: 'answers',
    correlation_id: eventId(0),
    causation_id: seq === 0 ? null : eventId(seq - 1),
    schema_version: 1,
    commitment: bytesToHex(sha256(concatBytes(new Uint8Array(32).fill(7), body))),
  })
}

function rootOf(headers: string[]): Uint8Array {
  const tree = new Accumulator()
  for (const header of headers) tree.push(leafHash(utf8ToBytes(header)))
  return tree.root()
}

function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

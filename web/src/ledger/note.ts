// Parses and verifies signed notes (C2SP signed-note with a checkpoint as the text), as strictly as the server does. Trust
// nothing in a note before `verifyNote` has returned it.
import { hashes, Point, verify } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { sameBytes } from './merkle.ts'

// Browsers offer their own crypto only to pages served over TLS, so the library's hash is used.
hashes.sha512 = sha512

const ED25519 = 0x01
const ID_BYTES = 4
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64
const ROOT_BYTES = 32
const NOTE_CHARS_MAX = 64 * 1024
const SIGNATURES_MAX = 100

export interface Key {
  name: string
  /** Eight hexadecimal digits. */
  id: string
  publicKey: Uint8Array
}

export interface Checkpoint {
  origin: string
  size: number
  root: Uint8Array
}

/** Parses `<name>+<id>+<base64>`. */
export function parseKey(text: string): Key {
  const [, name, id, encoded] = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/.exec(text.trim()) ?? []
  if (name === undefined || id === undefined || encoded === undefined) throw new Error('the key is not name+id+key')
  if (!isName(name)) throw new Error('the name of the key contains a space')
  const [algorithm, ...key] = base64(encoded, 'the key')
  if (algorithm !== ED25519 || key.length !== KEY_BYTES) throw new Error('the key is not an Ed25519 key')
  const publicKey = Uint8Array.from(key)
  if (bytesToHex(keyId(name, publicKey)) !== id) throw new Error('the key id does not match the public key')
  if (isWeak(publicKey)) throw new Error('the key is weak: anyone could forge its signatures')
  return { name, id, publicKey }
}

/** SHA-256 of the public key, as `countersign verify` prints it. */
export function fingerprint(keyText: string): string {
  return bytesToHex(sha256(parseKey(keyText).publicKey))
}

/** Returns the checkpoint of a note that was signed by this key, or throws an error with the reason. */
export async function verifyNote(note: string, keyText: string): Promise<Checkpoint> {
  const key = parseKey(keyText)
  const { text, signatures } = parseNote(note)
  const ours = signatures.filter(({ name, id }) => name === key.name && id === key.id)
  if (ours.length === 0) throw new Error('the checkpoint is not signed by the published key')
  for (const { signature } of ours) {
    if (!isSignedBy(key.publicKey, text, signature)) throw new Error('the signature of the checkpoint is wrong')
  }
  const checkpoint = parseCheckpoint(text)
  if (checkpoint.origin !== key.name) throw new Error('the origin of the checkpoint is not the name of the key')
  return checkpoint
}

interface Signature {
  name: string
  id: string
  signature: Uint8Array
}

function parseNote(note: string): { text: string; signatures: Signature[] } {
  if (note.length > NOTE_CHARS_MAX) throw new Error('the checkpoint is too long')
  // The text may contain blank lines; the last one separates it from the signatures.
  const end = note.lastIndexOf('\n\n')
  if (end < 0) throw new Error('the checkpoint has no blank line before its signatures')
  const lines = note.slice(end + 2).split('\n')
  if (lines.pop() !== '') throw new Error('the last signature of the checkpoint has no newline')
  if (lines.length > SIGNATURES_MAX) throw new Error('the checkpoint has too many signatures')
  return { text: note.slice(0, end + 1), signatures: lines.map(parseSignature) }
}

function parseSignature(line: string): Signature {
  const [, name, encoded] = /^— (\S+) (\S+)$/.exec(line) ?? []
  if (name === undefined || encoded === undefined || !isName(name)) {
    throw new Error('a signature line of the checkpoint is malformed')
  }
  const bytes = base64(encoded, 'a signature of the checkpoint')
  return { name, id: bytesToHex(bytes.subarray(0, ID_BYTES)), signature: bytes.subarray(ID_BYTES) }
}

function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = ''] = text.split('\n')
  // Only the canonical spelling is accepted, so that two texts can't claim the same tree.
  if (!/^(0|[1-9]\d*)$/.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new Error('the checkpoint has no size on its second line')
  }
  const bytes = base64(root, 'the root of the checkpoint')
  if (bytes.length !== ROOT_BYTES) throw new Error('the checkpoint has no root on its third line')
  return { origin, size: Number(size), root: bytes }
}

function isSignedBy(publicKey: Uint8Array, text: string, signature: Uint8Array): boolean {
  // Strict verification, so that all verifiers agree on which signatures are valid.
  return signature.length === SIGNATURE_BYTES && verify(signature, utf8ToBytes(text), publicKey, { zip215: false })
}

function isWeak(publicKey: Uint8Array): boolean {
  try {
    return Point.fromBytes(publicKey).isSmallOrder()
  } catch {
    throw new Error('the key is not a point on the curve')
  }
}

function keyId(name: string, publicKey: Uint8Array): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(ED25519), publicKey)).subarray(0, ID_BYTES)
}

function isName(name: string): boolean {
  return /^[^\s+]+$/.test(name)
}

/** Accepts only the canonical encoding. */
function base64(text: string, what: string): Uint8Array {
  try {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    const canonical = Uint8Array.from(btoa(String.fromCharCode(...bytes)), (char) => char.charCodeAt(0))
    if (sameBytes(canonical, utf8ToBytes(text))) return bytes
  } catch {
    // Reported below.
  }
  throw new Error(`${what} is not base64`)
}

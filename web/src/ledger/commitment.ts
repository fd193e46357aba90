// The commitment in an event's header: a hash over a salt and the exact texts of the content. The content can be erased
// without breaking the tree.
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'

/** Returns hex, as in the header. */
export function commitment(salt: string, payload: string, metadata: string): string {
  return bytesToHex(sha256(concatBytes(hexToBytes(salt), utf8ToBytes(payload), utf8ToBytes(metadata))))
}

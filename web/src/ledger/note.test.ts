import { getPublicKey, sign } from '@noble/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fingerprint, parseKey, verifyNote } from './note.ts'

const NAME = 'countersign/test'
const SECRET = sha256(utf8ToBytes('a secret for these tests'))
const ROOT = sha256(utf8ToBytes('root'))

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))

// Importing the module sets the hash function of the signature library, which is needed to create keys.
const publicKey = getPublicKey(SECRET)
const keyId = (name: string) =>
  sha256(concatBytes(utf8ToBytes(`${name}\n`), Uint8Array.of(1), publicKey)).subarray(0, 4)
const keyText = (name = NAME) =>
  `${name}+${bytesToHex(keyId(name))}+${base64(concatBytes(Uint8Array.of(1), publicKey))}`

const body = (size: number | string = 42, origin = NAME) => `${origin}\n${size}\n${base64(ROOT)}\n`

function signed(text: string, name = NAME): string {
  return `${text}\n— ${name} ${base64(concatBytes(keyId(name), sign(utf8ToBytes(text), SECRET)))}\n`
}

describe('a key', () => {
  it('has a fingerprint, which does not depend on its name', () => {
    expect(fingerprint(`${keyText()}\n`)).toBe(bytesToHex(sha256(publicKey)))
  })

  it('is read from its published form', () => {
    expect(parseKey(`${keyText()}\n`)).toEqual({ name: NAME, id: bytesToHex(keyId(NAME)), publicKey })
  })

  it.each([
    ['', 'not name+id+key'],
    ['name', 'not name+id+key'],
    [keyText().replace(NAME, 'another'), 'does not match the public key'],
    [keyText().replace(NAME, 'an other'), 'contains a space'],
    [`${NAME}+00000000+${base64(new Uint8Array(33))}`, 'not an Ed25519 key'],
    [`${NAME}+00000000+${base64(Uint8Array.of(1, 2, 3))}`, 'not an Ed25519 key'],
    [`${keyText()}=`, 'not base64'],
  ])('%j is refused', (text, problem) => {
    expect(() => parseKey(text)).toThrow(problem)
  })

  it('of small order, whose signatures anyone could forge, is refused', () => {
    const weak = Uint8Array.from({ length: 32 }, (_, at) => (at === 0 ? 1 : 0))
    const id = sha256(concatBytes(utf8ToBytes(`${NAME}\n`), Uint8Array.of(1), weak)).subarray(0, 4)
    expect(() => parseKey(`${NAME}+${bytesToHex(id)}+${base64(concatBytes(Uint8Array.of(1), weak))}`)).toThrow(
      'anyone could forge its signatures',
    )
  })
})

describe('a signed checkpoint', () => {
  it('is returned once its signature is verified', async () => {
    expect(await verifyNote(signed(body()), keyText())).toEqual({ origin: NAME, size: 42, root: ROOT })
  })

  it('may carry extension lines and signatures of others', async () => {
    const note = signed(`${body()}extension\n`).replace('\n\n', '\n\n— witness AAAAAQID\n')
    expect((await verifyNote(note, keyText())).size).toBe(42)
  })

  it.each([
    ['', 'no blank line'],
    [body(), 'no blank line'],
    [signed(body()).slice(0, -1), 'no newline'],
    [signed(body()).replace('— ', '- '), 'malformed'],
    [signed(body(), 'another'), 'not signed by the published key'],
    [signed(body()).replace('\n42\n', '\n43\n'), 'signature of the checkpoint is wrong'],
    [signed(body(42, 'elsewhere')), 'origin of the checkpoint'],
    [signed(body('042')), 'no size'],
    [signed(body('+42')), 'no size'],
    [signed(body('9007199254740993')), 'no size'],
    [signed(`${NAME}\n42\nAAAA\n`), 'no root'],
    ['x'.repeat(70_000), 'too long'],
  ])('%j is refused', async (note, problem) => {
    await expect(verifyNote(note, keyText())).rejects.toThrow(problem)
  })

  it('is refused if any signature with the same name is wrong', async () => {
    const note = signed(body())
    const wrong = `— ${NAME} ${base64(concatBytes(keyId(NAME), new Uint8Array(64)))}\n`
    await expect(verifyNote(note + wrong, keyText())).rejects.toThrow('wrong')
  })

  it('is never accepted with one character changed', async () => {
    const note = signed(body())
    await fc.assert(
      fc.asyncProperty(fc.nat(note.length - 1), fc.string({ minLength: 1, maxLength: 1 }), async (at, char) => {
        fc.pre(note[at] !== char)
        const spoiled = note.slice(0, at) + char + note.slice(at + 1)
        await expect(verifyNote(spoiled, keyText())).rejects.toThrow()
      }),
      { numRuns: 200 },
    )
  })
})

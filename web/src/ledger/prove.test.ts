import { getPublicKey, sign } from '@noble/ed25519'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import { describe, expect, it, vi } from 'vitest'
import { leafHash, nodeHash } from './merkle.ts'
import { proveLeaf } from './prove.ts'

const NAME = 'countersign/test'
const SECRET = sha256(utf8ToBytes('a secret for these tests'))
const SALT = '07'.repeat(32)
const PAYLOAD = '{"query":"née \\u0041"}'
const METADATA = '{"route":"/process-agent"}'

const base64 = (bytes: Uint8Array) => btoa(String.fromCharCode(...bytes))
const commitment = bytesToHex(sha256(concatBytes(new Uint8Array(32).fill(7), utf8ToBytes(PAYLOAD + METADATA))))
const header = (event: string) => JSON.stringify({ seq: 1, event_id: event, commitment })

const publicKey = getPublicKey(SECRET)
const keyId = sha256(concatBytes(utf8ToBytes(`${NAME}\n`), Uint8Array.of(1), publicKey)).subarray(0, 4)
const first = leafHash(utf8ToBytes('{}'))
const second = leafHash(utf8ToBytes(header('event-1')))

function note(size = 2, root = nodeHash(first, second)): string {
  const text = `${NAME}\n${size}\n${base64(root)}\n`
  return `${text}\n— ${NAME} ${base64(concatBytes(keyId, sign(utf8ToBytes(text), SECRET)))}\n`
}

const HONEST = {
  '/api/ledger/checkpoint': note(),
  '/api/ledger/key': `${NAME}+${bytesToHex(keyId)}+${base64(concatBytes(Uint8Array.of(1), publicKey))}\n`,
  '/api/ledger/leaf/1': { index: 1, header: header('event-1'), leaf_hash: bytesToHex(second) },
  '/api/ledger/inclusion': { index: 1, size: 2, proof: [bytesToHex(first)], root: '', leaf_hash: '' },
} as const

function serve(answers: Record<string, unknown>) {
  vi.stubGlobal('fetch', async (request: Request) => {
    const answer = answers[new URL(request.url).pathname]
    return typeof answer === 'string'
      ? new Response(answer, { headers: { 'content-type': 'text/plain' } })
      : Response.json(answer)
  })
}

const leafWith = (more: object) => ({ ...HONEST, '/api/ledger/leaf/1': { ...HONEST['/api/ledger/leaf/1'], ...more } })

describe('the proof of a leaf', () => {
  it('holds if hash, path, root and signature match', async () => {
    serve(HONEST)
    expect(await proveLeaf(1, 'event-1')).toEqual({
      state: 'proven',
      index: 1,
      size: 2,
      origin: NAME,
      body: { state: 'not given' },
    })
  })

  it('covers the content if the server returns it', async () => {
    serve(leafWith({ salt: SALT, payload_json: PAYLOAD, metadata_json: METADATA }))
    expect(await proveLeaf(1, 'event-1')).toMatchObject({ body: { state: 'proven', payload: { query: 'née A' } } })
  })

  it('says that the content was erased', async () => {
    serve(leafWith({ salt: null, payload_json: null, metadata_json: null }))
    expect(await proveLeaf(1, 'event-1')).toMatchObject({ state: 'proven', body: { state: 'erased' } })
  })

  it('is pending for a leaf after the last checkpoint', async () => {
    serve(HONEST)
    expect(await proveLeaf(2, 'event-2')).toEqual({ state: 'unsigned', index: 2, size: 2 })
  })

  it.each([
    ['the header was changed', leafWith({ header: header('event-1').replace('1', '2') }), 'does not lead'],
    ['the content was changed', leafWith({ salt: SALT, payload_json: '{}', metadata_json: METADATA }), 'commits to'],
    ['the path is wrong', { ...HONEST, '/api/ledger/inclusion': { proof: [bytesToHex(second)] } }, 'does not lead'],
    ['the path is missing', { ...HONEST, '/api/ledger/inclusion': { proof: [] } }, 'too short'],
    ['the root is wrong', { ...HONEST, '/api/ledger/checkpoint': note(2, first) }, 'does not lead'],
    ['the size was changed', { ...HONEST, '/api/ledger/checkpoint': note().replace('\n2\n', '\n3\n') }, 'signature'],
  ])('fails when %s', async (_, answers, why) => {
    serve(answers)
    expect(await proveLeaf(1, 'event-1')).toMatchObject({ state: 'failed', why: expect.stringContaining(why) })
  })

  it('fails if the leaf belongs to another event', async () => {
    serve(HONEST)
    expect(await proveLeaf(1, 'event-9')).toMatchObject({ state: 'failed', why: 'the leaf belongs to another event' })
  })

  it('throws if the server can’t be reached', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
    await expect(proveLeaf(1, 'event-1')).rejects.toThrow('Unable to connect to server')
  })
})

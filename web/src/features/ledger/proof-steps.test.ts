import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { expect, test } from 'vitest'
import { leafHash } from '@/ledger/merkle.ts'
import { METADATA, payload, SALT, testLog } from '@/testing/log.ts'
import { type ProofInputs, proofSteps } from './proof-steps.ts'
import type { StoredEvent } from './queries.ts'

// With two leaves, the path of the second consists of the first.
const log = testLog(2)
const header = log.headers[1] as string
const { commitment: _, ...shown } = JSON.parse(header)
const event: StoredEvent = { ...shown, payload: JSON.parse(payload(1)), metadata: JSON.parse(METADATA) }
const path = [bytesToHex(leafHash(utf8ToBytes(log.headers[0] as string)))]

const HONEST: ProofInputs = {
  event,
  leaf: {
    index: 1,
    header,
    leaf_hash: bytesToHex(leafHash(utf8ToBytes(header))),
    salt: SALT,
    payload_json: payload(1),
    metadata_json: METADATA,
  },
  note: log.note,
  key: log.key,
  inclusion: async () => path,
}

const leaf = (overrides: Partial<ProofInputs['leaf']>): ProofInputs => ({
  ...HONEST,
  leaf: { ...HONEST.leaf, ...overrides },
})
const seen = (overrides: Partial<StoredEvent>): ProofInputs => ({ ...HONEST, event: { ...event, ...overrides } })

async function states(evidence: ProofInputs) {
  return (await proofSteps(evidence)).map(({ name, state }) => `${name} ${state}`).join(', ')
}

test('every proof step is valid for an honest server', async () => {
  expect(await states(HONEST)).toBe('content holds, header holds, tree holds, signature holds')
})

const { salt: _salt, ...bare } = HONEST.leaf

const CASES: [what: string, evidence: ProofInputs, states: string][] = [
  ['a changed payload', leaf({ payload_json: payload(2) }), 'content fails, header holds, tree holds, signature holds'],
  ['a changed salt', leaf({ salt: '08'.repeat(32) }), 'content fails, header holds, tree holds, signature holds'],
  [
    'a page that shows another payload',
    seen({ payload: { query: 'another' } }),
    'content fails, header holds, tree holds, signature holds',
  ],
  [
    'a page that shows more fields',
    seen({ payload: { ...event.payload, more: 1 } }),
    'content fails, header holds, tree holds, signature holds',
  ],
  [
    'a page that shows another type',
    seen({ event_type: 'X' }),
    'content holds, header fails, tree holds, signature holds',
  ],
  [
    'a page that shows another cause',
    seen({ causation_id: null }),
    'content holds, header fails, tree holds, signature holds',
  ],
  [
    'a changed header',
    leaf({ header: header.replace('answers', 'someone') }),
    'content holds, header fails, tree fails, signature holds',
  ],
  [
    'another path',
    { ...HONEST, inclusion: async () => ['00'.repeat(32)] },
    'content holds, header holds, tree fails, signature holds',
  ],
  [
    'a path that is too short',
    { ...HONEST, inclusion: async () => [] },
    'content holds, header holds, tree fails, signature holds',
  ],
  [
    'a changed note',
    { ...HONEST, note: log.note.replace('\n2\n', '\n3\n') },
    'content holds, header holds, tree open, signature fails',
  ],
  ['a checkpoint before the event', { ...HONEST, note: testLog(1).note }, 'content holds, header holds, tree open'],
  ['a server without salts', { ...HONEST, leaf: bare }, 'content open, header holds, tree holds, signature holds'],
  [
    'an erased body',
    {
      ...leaf({ salt: null, payload_json: null, metadata_json: null }),
      event: { ...event, payload: null, metadata: null },
    },
    'content open, header holds, tree holds, signature holds',
  ],
  [
    'a body that is shown though it was erased',
    leaf({ salt: null, payload_json: null, metadata_json: null }),
    'content fails, header holds, tree holds, signature holds',
  ],
]

test.each(CASES)('%s shows in its step', async (_what, evidence, expected) => {
  expect(await states(evidence)).toBe(expected)
})

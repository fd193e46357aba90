// Generates the API types from the server's OpenAPI document: `node build/types.mjs [URL or PROGRAM] [FILE]`. A program is
// started on a free port with a temporary data directory, and stopped afterwards.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openapi, { astToString } from 'openapi-typescript'

const HEADER = '// Generated from the OpenAPI document by `make types`. Do not edit.\n\n'

const [from = 'http://127.0.0.1:8080', file = new URL('../src/api/schema.gen.ts', import.meta.url).pathname] =
  process.argv.slice(2)

if (from.startsWith('http')) await writeFromServer(from)
else await writeFromProgram(from)

async function writeFromServer(url) {
  const document = await (await fetch(new URL('/api/openapi.json', url))).json()
  writeFileSync(file, HEADER + astToString(await openapi(document, { emptyObjectsUnknown: true })))
}

async function writeFromProgram(program) {
  const data = mkdtempSync(join(tmpdir(), 'countersign-types-'))
  const server = spawn(program, ['serve', '--listen', '127.0.0.1:0', '--data-dir', data], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { RUST_LOG: 'warn' },
  })
  const ended = once(server, 'exit')
  try {
    const [ready] = await Promise.race([once(server.stdout, 'data'), ended])
    const url = /http:\S+/.exec(String(ready))?.[0]
    if (url === undefined) throw new Error(`${program} did not start`)
    await writeFromServer(url)
  } finally {
    server.kill()
    await ended
    rmSync(data, { recursive: true })
  }
}

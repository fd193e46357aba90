// The build: its size, its references and its API types.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DIST, WEB } from './stage/places.ts'
import { programForFile } from './stage/program.ts'

const INITIAL_BYTES_MAX = 250_000
/** URLs that are never fetched: XML namespaces, and links in messages. */
const NOT_FETCHED = /^https?:\/\/(github\.com\/syntax-tree|www\.w3\.org|react\.dev|base-ui\.com|tailwindcss\.com)\b/

const program = programForFile()

test('a first visit downloads less than 250 kB', () => {
  const index = readFileSync(join(DIST, 'index.html'), 'utf8')
  const files = [...index.matchAll(/(?:src|href)="\/([^"]+)"/g)].map((found) => String(found[1]))
  expect(files.some((file) => file.endsWith('.js')) && files.some((file) => file.endsWith('.css'))).toBe(true)
  const bytes = ['index.html', ...files].map((file) => statSync(join(DIST, `${file}.br`)).size)
  expect(bytes.reduce((sum, more) => sum + more)).toBeLessThan(INITIAL_BYTES_MAX)
})

test('the build refers to no other host', () => {
  const texts = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(html|js|css|svg)$/.test(name),
  )
  const found = texts.flatMap((name) => readFileSync(join(DIST, name), 'utf8').match(/https?:\/\/[\w./-]+/g) ?? [])
  expect([...new Set(found.filter((address) => !NOT_FETCHED.test(address)))]).toEqual([])
})

test('the generated API types match the running server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-types-'))
  const output = join(folder, 'schema.gen.ts')
  execFileSync('node', ['build/types.mjs', program.url, output], { cwd: WEB })
  const [generated, committed] = [output, join(WEB, 'src/api/schema.gen.ts')].map((file) => readFileSync(file, 'utf8'))
  rmSync(folder, { recursive: true })
  expect(generated === committed, 'the types are stale: run make types').toBe(true)
})

test('pages are sent compressed, with a policy that allows only their own scripts', async () => {
  const page = await fetch(program.url, { headers: { 'accept-encoding': 'br' } })
  expect(page.headers.get('content-encoding')).toBe('br')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("script-src 'self'")
  expect(policy).not.toMatch(/unsafe-(inline|eval)/)
})

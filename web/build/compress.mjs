// Writes a Brotli and a gzip version next to each built file, so that the server never compresses while it responds.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const dist = new URL('../dist', import.meta.url).pathname
const TEXT = /\.(html|js|css|svg|json|webmanifest)$/

for (const name of readdirSync(dist, { recursive: true })) {
  const file = join(dist, String(name))
  if (!TEXT.test(file) || !statSync(file).isFile()) continue
  const plain = readFileSync(file)
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length } }
  writeFileSync(`${file}.br`, brotliCompressSync(plain, options))
  writeFileSync(`${file}.gz`, gzipSync(plain, { level: 9 }))
}

// Writes the API's types from the document of a running server: `node build/types.mjs [URL] [FILE]`.
import { writeFileSync } from 'node:fs'
import openapi, { astToString } from 'openapi-typescript'

const [url = 'http://127.0.0.1:8080', file = new URL('../src/api/schema.gen.ts', import.meta.url).pathname] =
  process.argv.slice(2)
const HEADER = '// Generated from the OpenAPI document by `make types`. Do not edit.\n\n'

const document = await (await fetch(new URL('/api/openapi.json', url))).json()
writeFileSync(file, HEADER + astToString(await openapi(document, { emptyObjectsUnknown: true })))

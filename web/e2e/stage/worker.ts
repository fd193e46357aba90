// A worker that says what the test tells it to, in the wire format of the providers that the program knows.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** A text, or the HTTP status of a failure. */
export type Says = (query: string) => string | number

export class Worker {
  says: Says = () => 'Paris is the capital of France.'
  #server: Server = createServer((request, response) => void this.#answer(request, response))
  #port = 0

  async start() {
    this.#server.listen(this.#port, '127.0.0.1')
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  async end() {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }

  async #answer(request: IncomingMessage, response: ServerResponse) {
    const said = this.says(lastWords(await bodyOf(request)))
    const isText = typeof said === 'string'
    response.writeHead(isText ? 200 : said, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isText ? completion(said) : { error: { message: 'as asked', type: 'test' } }))
  }

  /** For the program that shall ask this worker; complete once it is started. */
  env = (): Record<string, string> => ({
    COUNTERSIGN_WORKER: 'groq/scripted',
    GROQ_API_KEY: 'not-a-real-key',
    GROQ_BASE_URL: `http://127.0.0.1:${this.#port}/openai/v1`,
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

function lastWords(body: string): string {
  const { messages } = JSON.parse(body) as { messages: { content: string }[] }
  return messages.at(-1)?.content ?? ''
}

function completion(content: string) {
  return {
    id: 'chatcmpl-scripted',
    object: 'chat.completion',
    created: 0,
    model: 'scripted',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 20, total_tokens: 30 },
  }
}

export function workerForFile(): Worker {
  const worker = new Worker()
  beforeAll(() => worker.start())
  afterAll(() => worker.end())
  return worker
}

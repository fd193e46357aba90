// A stand-in for an external server that the program calls. It runs for the tests of one file.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll } from 'vitest'

/** A response: a status, and a body as JSON. */
export type Answer = [status: number, body: unknown]

export class StandIn {
  readonly #server: Server
  #port = 0

  constructor(answer: (body: string, request: IncomingMessage) => Answer) {
    this.#server = createServer(async (request, response) => {
      const [status, body] = answer(await bodyOf(request), request)
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    })
  }

  /** Valid once it is started. */
  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

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

  forFile(): this {
    beforeAll(() => this.start())
    afterAll(() => this.end())
    return this
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString('utf8')
}

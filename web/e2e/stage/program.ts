// Runs the real binary as a process with its own data directory: starts, calls, kills and restarts it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll } from 'vitest'
import { PROGRAM } from './places.ts'

export interface Settings {
  /** `serve`, or `demo` with its flags. */
  command?: string[]
  /** Evaluated at each start, because the addresses of other servers are known only once they have started. */
  env?: () => Record<string, string>
  /** Listens on all addresses, so that every caller needs a key. */
  keysRequired?: boolean
}

export type Role = 'viewer' | 'investigator' | 'reviewer' | 'admin'

export class Program {
  readonly #settings: Settings
  readonly #data = mkdtempSync(join(tmpdir(), 'countersign-e2e-'))
  #process: ChildProcess | null = null
  /** The port that pages use. */
  #port = 0
  /** The port that the program listens on now. */
  #listenPort = 0
  #bearer: string | null = null

  constructor(settings: Settings = {}) {
    this.#settings = settings
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  /** Resolves once the program is ready. A restart keeps the data, and also the port unless it is `hidden` from pages. */
  async start({ hidden = false } = {}) {
    const { command = ['serve'], env = () => ({}), keysRequired = false } = this.#settings
    if (keysRequired && this.#bearer === null) this.#bearer = this.createKey('admin', 'e2e test').key
    const listen = `${keysRequired ? '0.0.0.0' : '127.0.0.1'}:${hidden ? 0 : this.#port}`
    const program = spawn(PROGRAM, [...command, '--listen', listen, '--data-dir', this.#data], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // Only the variables that the test sets, so that results don't depend on the machine's environment.
      env: { RUST_LOG: 'error', ...env() },
    })
    this.#process = program
    const lines = createInterface(program.stdout)
    const [line] = await Promise.race([once(lines, 'line'), once(program, 'exit')])
    const port = /http:\S+:(\d+)/.exec(String(line))?.[1]
    if (port === undefined) throw new Error(`the program did not start: ${line}`)
    this.#listenPort = Number(port)
    if (!hidden) this.#port = this.#listenPort
  }

  /** Kills the process without a chance to clean up. */
  async kill() {
    const program = this.#process
    this.#process = null
    if (program === null || program.exitCode !== null) return
    const ended = once(program, 'exit')
    program.kill('SIGKILL')
    await ended
  }

  async end() {
    await this.kill()
    rmSync(this.#data, { recursive: true, force: true })
  }

  createKey(role: Role, name: string): { id: string; key: string } {
    const output = this.#run('keys', 'create', '--role', role, '--name', name, '--json')
    const { key, about } = JSON.parse(output) as { key: string; about: { id: string } }
    return { id: about.id, key }
  }

  revokeKey(id: string) {
    this.#run('keys', 'revoke', id)
  }

  #run(...command: string[]): string {
    return execFileSync(PROGRAM, [...command, '--data-dir', this.#data], {
      encoding: 'utf8',
      env: { RUST_LOG: 'error' },
    })
  }

  async get<Data>(path: string): Promise<Data> {
    return this.#ask<Data>(path, {})
  }

  /** Sends the test's own key unless another is given. */
  async post<Data>(path: string, body: unknown, key: string | null = null): Promise<Data> {
    const headers = { 'content-type': 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) }
    return this.#ask<Data>(path, { method: 'POST', body: JSON.stringify(body), headers })
  }

  async #ask<Data>(path: string, request: RequestInit): Promise<Data> {
    const headers = new Headers(request.headers)
    if (this.#bearer !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${this.#bearer}`)
    const answer = await fetch(`http://127.0.0.1:${this.#listenPort}${path}`, { ...request, headers })
    const text = await answer.text()
    if (!answer.ok) throw new RequestError(`${path}: ${answer.status} ${text}`, answer.status)
    return (text === '' ? null : JSON.parse(text)) as Data
  }
}

/** An error response of the server. */
export class RequestError extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message)
  }
}

/** Starts one program for all tests of a file. */
export function programForFile(settings: Settings = {}): Program {
  const program = new Program(settings)
  beforeAll(() => program.start())
  afterAll(() => program.end())
  return program
}

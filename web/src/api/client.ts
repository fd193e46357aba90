// The one way to the server: typed by its own OpenAPI document, bounded in time, and with one kind of failure.
import createClient, { type Middleware } from 'openapi-fetch'
import { Problem } from './problem.ts'
import type { components, paths } from './schema.gen.ts'

export type Schemas = components['schemas']

const TIMEOUT_MS = 30_000
/** A worker may be asked three times, with waits in between. */
const WORKER_TIMEOUT_MS = 120_000
const CSRF_HEADER = 'x-countersign-csrf'

let csrf: string | null = null

/** The session's token, which every change must carry. It lives in memory only. */
export function carryToken(token: string | null) {
  csrf = token
}

const withToken: Middleware = {
  onRequest({ request }) {
    if (csrf !== null && request.method !== 'GET') request.headers.set(CSRF_HEADER, csrf)
    return request
  },
}

function bounded(request: Request): Promise<Response> {
  const limit = request.url.endsWith('/process-agent') ? WORKER_TIMEOUT_MS : TIMEOUT_MS
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(limit)]) })
}

export const api = createClient<paths>({ baseUrl: location.origin, credentials: 'same-origin', fetch: bounded })
api.use(withToken)

interface Answer<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** The data of an answer, or a `Problem` thrown. */
export async function take<Data>(asking: Promise<Answer<Data>>): Promise<Data> {
  const answer = await asking.catch((failure: unknown) => {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
    throw Problem.fromFailure(failure)
  })
  const { ok, status, headers } = answer.response
  if (!ok) throw Problem.fromResponse(status, answer.error, headers.get('retry-after'))
  // An empty answer, such as 204, has no data to give.
  return answer.data as Data
}

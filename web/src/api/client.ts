// The API client: typed by the server's OpenAPI document, with time-outs and one error type.
import createClient, { type Middleware } from 'openapi-fetch'
import { Problem } from './problem.ts'
import type { components, paths } from './schema.gen.ts'

export type Schemas = components['schemas']

const TIMEOUT_MS = 30_000
/** A model may be called three times, with delays in between. */
const ANSWER_TIMEOUT_MS = 120_000
const CSRF_HEADER = 'x-countersign-csrf'

let csrf: string | null = null

/** Sets the session's CSRF token, which is sent with every change. It is kept in memory only. */
export function setCsrfToken(token: string | null) {
  csrf = token
}

const withToken: Middleware = {
  onRequest({ request }) {
    if (csrf !== null && request.method !== 'GET') request.headers.set(CSRF_HEADER, csrf)
    return request
  },
}

function fetchWithTimeout(request: Request): Promise<Response> {
  const limit = request.url.endsWith('/process-agent') ? ANSWER_TIMEOUT_MS : TIMEOUT_MS
  return fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(limit)]) })
}

export const api = createClient<paths>({
  baseUrl: location.origin,
  credentials: 'same-origin',
  fetch: fetchWithTimeout,
})
api.use(withToken)

interface ApiResponse<Data> {
  data?: Data
  error?: unknown
  response: Response
}

/** Returns the data of a response, or throws a `Problem`. */
export async function take<Data>(request: Promise<ApiResponse<Data>>): Promise<Data> {
  const response = await request.catch((failure: unknown) => {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure
    throw Problem.fromFailure(failure)
  })
  const { ok, status, headers } = response.response
  if (!ok) throw Problem.fromResponse(status, response.error, headers.get('retry-after'))
  // An empty response, such as a 204, has no data.
  return response.data as Data
}

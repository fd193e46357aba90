// Errors of requests, with messages for users.

export type ProblemKind = 'network' | 'timeout' | 'server' | 'refused'

/** A failed request. `detail` is the server's explanation, if it gave one. */
export class Problem extends Error {
  constructor(
    readonly kind: ProblemKind,
    readonly status: number | null,
    readonly detail: string | null,
    /** Seconds until a retry makes sense, if the server said so. */
    readonly retryAfterS: number | null = null,
  ) {
    super(friendly(kind, detail))
    this.name = 'Problem'
  }

  /** The server responded with an error. */
  static fromResponse(status: number, body: unknown, retryAfter: string | null = null): Problem {
    const detail = detailOf(body)
    const waitS = retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) : null
    if (status === 408 || status === 504) return new Problem('timeout', status, detail, waitS)
    return new Problem(status >= 500 ? 'server' : 'refused', status, detail, waitS)
  }

  /** There was no response. */
  static fromFailure(failure: unknown): Problem {
    if (failure instanceof Problem) return failure
    const isTimeout = failure instanceof DOMException && failure.name === 'TimeoutError'
    return new Problem(isTimeout ? 'timeout' : 'network', null, null)
  }
}

function friendly(kind: ProblemKind, detail: string | null): string {
  switch (kind) {
    case 'network':
      return 'Unable to connect to server'
    case 'timeout':
      return 'Request timed out, please try again'
    case 'server':
      return 'Server error occurred, please try again later'
    case 'refused':
      return detail ?? 'The server refused the request'
  }
}

function detailOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null) return null
  const { detail, error } = body as { detail?: unknown; error?: unknown }
  if (typeof detail === 'string' && detail !== '') return detail
  return typeof error === 'string' && error !== '' ? error : null
}

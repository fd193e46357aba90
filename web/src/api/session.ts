// The session: who is signed in and with which role. The access key is sent once and never stored.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, type Schemas, setCsrfToken, take } from './client.ts'
import { Problem } from './problem.ts'

export type Role = Schemas['Role']
export type Session = Required<Schemas['SessionInfo']>

interface KnownSession extends Session {
  /** The session ended without a sign-out, for example because its key was revoked. */
  has_ended: boolean
}

const SESSION = ['session'] as const

export const sessionQuery = queryOptions({
  queryKey: SESSION,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal, client }): Promise<KnownSession> => {
    const session = await take(api.GET('/api/session', { signal }))
    const { name = null, key_id = null, role = null, csrf = null, worker = null } = session
    setCsrfToken(csrf)
    const before = client.getQueryData<KnownSession>(SESSION)
    return {
      ...session,
      name,
      key_id,
      role,
      csrf,
      worker,
      has_ended: !session.signed_in && (before?.signed_in || before?.has_ended) === true,
    }
  },
})

export async function signIn(queries: QueryClient, key: string) {
  const { role, csrf } = await take(api.POST('/api/session', { body: { key } }))
  if (role === 'agent') {
    setCsrfToken(csrf ?? null)
    await take(api.DELETE('/api/session'))
    setCsrfToken(null)
    throw new Problem('refused', null, 'This key is for programs that submit work; it can’t sign in to the dashboard')
  }
  await resetSession(queries)
}

export async function signOut(queries: QueryClient) {
  await take(api.DELETE('/api/session'))
  await resetSession(queries)
}

/** Drops everything that was read under the previous session, then reads the session again. */
async function resetSession(queries: QueryClient) {
  setCsrfToken(null)
  await queries.cancelQueries()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
  await queries.resetQueries({ queryKey: SESSION })
}

/** For components below `RequireSession`, which has loaded the session. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('the session has not been read yet')
  return data
}

const RANK: Record<Role, number> = { agent: 0, viewer: 1, investigator: 2, reviewer: 3, admin: 4 }

/** Whether the user has at least this role. */
export function useHasRole(minimum: Exclude<Role, 'agent'>): boolean {
  const { role } = useSession()
  return role !== null && RANK[role] >= RANK[minimum]
}

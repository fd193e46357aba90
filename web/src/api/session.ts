// Who is looking, and what that person may do. The key itself is sent once and kept nowhere.
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { api, carryToken, type Schemas, take } from './client.ts'
import { Problem } from './problem.ts'

export type Role = Schemas['Role']
export type Session = Required<Schemas['SessionInfo']>

interface KnownSession extends Session {
  /** It was there, and is not any more, though nobody signed out. */
  has_ended: boolean
}

const SESSION = ['session'] as const

export const sessionQuery = queryOptions({
  queryKey: SESSION,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal, client }): Promise<KnownSession> => {
    const session = await take(api.GET('/api/session', { signal }))
    const { name = null, key_id = null, role = null, csrf = null, worker = null } = session
    carryToken(csrf)
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
    carryToken(csrf ?? null)
    await take(api.DELETE('/api/session'))
    carryToken(null)
    throw new Problem('refused', null, 'This key may only send work in; it opens no pages')
  }
  await startAfresh(queries)
}

export async function signOut(queries: QueryClient) {
  await take(api.DELETE('/api/session'))
  await startAfresh(queries)
}

/** What was read belonged to somebody else. Without a session the pages go, and come back for whoever looks now. */
async function startAfresh(queries: QueryClient) {
  carryToken(null)
  await queries.cancelQueries()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION[0] })
  await queries.resetQueries({ queryKey: SESSION })
}

/** Only inside pages that are shown to somebody: the shell has read the session before. */
export function useSession(): Session {
  const { data } = useQuery(sessionQuery)
  if (data === undefined) throw new Error('the session has not been read yet')
  return data
}

const RANK: Record<Role, number> = { agent: 0, viewer: 1, investigator: 2, reviewer: 3, admin: 4 }

/** Whether the one who looks has at least this role. */
export function useMay(least: Exclude<Role, 'agent'>): boolean {
  const { role } = useSession()
  return role !== null && RANK[role] >= RANK[least]
}

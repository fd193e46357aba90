// Who is looking, and what that person may do.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { carryToken } from './client.ts'
import { Problem } from './problem.ts'

export type Role = 'viewer' | 'investigator' | 'reviewer' | 'admin' | 'agent'

export interface Session {
  signed_in: boolean
  keys_required: boolean
  name: string | null
  role: Role | null
  csrf: string | null
  worker: string | null
  is_simulated: boolean
  is_demo: boolean
  version: string
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }): Promise<Session> => {
    const response = await fetch('/api/session', { signal }).catch((failure: unknown) => {
      throw Problem.fromFailure(failure)
    })
    if (!response.ok) throw Problem.fromResponse(response.status, null)
    const session = (await response.json()) as Session
    carryToken(session.csrf)
    return session
  },
})

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

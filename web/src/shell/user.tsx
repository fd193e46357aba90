// The signed-in user and the sign-out button.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { sessionQuery, signOut, useSession } from '@/api/session.ts'
import { IconButton } from '@/components/ui/button.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { useConnection } from '@/live/live.tsx'

export function SignedInUser() {
  const { name, role, csrf } = useSession()
  const queries = useQueryClient()
  const leaving = useMutation({ mutationFn: () => signOut(queries) })
  useSessionCheck()
  // Without a session there is nothing to sign out of: this machine's users need no key.
  if (csrf === null) return null
  return (
    <span className="flex items-center gap-1.5 text-muted">
      <span className="hidden items-center gap-1.5 md:flex">
        <Icon name="person" />
        <span className="foreign-line max-w-40">{name}</span>
        <span>({role})</span>
      </span>
      <IconButton
        icon="leave"
        label={leaving.isError ? 'Sign out failed. Try again.' : `Sign out ${name ?? ''}`.trim()}
        disabled={leaving.isPending}
        onClick={() => leaving.mutate()}
      />
    </span>
  )
}

/** A refused live connection looks like a broken one. Re-reading the session tells them apart. */
function useSessionCheck() {
  const { failures } = useConnection()
  const queries = useQueryClient()
  useEffect(() => {
    if (failures > 0) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }, [failures, queries])
}

// How far the log is signed. Kept true by the live connection: each checkpoint is told.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { api, take } from '@/api/client.ts'
import { Icon } from '@/components/ui/icon.tsx'
import { number } from '@/components/ui/value.tsx'
import { useLive } from '@/live/live.tsx'

const KEY = ['ledger', 'checkpoint']

export function LedgerStatus() {
  const queries = useQueryClient()
  const checkpoint = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => take(api.GET('/api/ledger/checkpoint', { parseAs: 'text', signal })),
  })
  useLive(['ledger'], (batch) => {
    const newest = batch.at(-1)?.data
    const note = typeof newest === 'object' && newest !== null && 'checkpoint' in newest ? newest.checkpoint : null
    if (typeof note === 'string') queries.setQueryData(KEY, note)
    else void queries.invalidateQueries({ queryKey: KEY })
  })
  const size = checkpoint.data === undefined ? null : signedSize(checkpoint.data)
  return (
    <Link href="/ledger" className="hidden items-center gap-1.5 whitespace-nowrap text-muted hover:text-ink sm:flex">
      <Icon name="shield" />
      {checkpoint.isError ? 'ledger unknown' : `signed ${size === null ? '…' : number(size)}`}
    </Link>
  )
}

/** The second line of a signed note. */
function signedSize(note: string): number | null {
  const line = note.split('\n')[1]
  return line !== undefined && /^\d+$/.test(line) ? Number(line) : null
}

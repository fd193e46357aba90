// Shows how many events the newest checkpoint covers. Live messages announce each new checkpoint.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'wouter'
import { Icon } from '@/components/ui/icon.tsx'
import { number } from '@/components/ui/value.tsx'
import { checkpointQuery } from '@/ledger/checkpoint.ts'
import { useLive } from '@/live/live.tsx'

export function LedgerStatus() {
  const queries = useQueryClient()
  const checkpoint = useQuery(checkpointQuery)
  useLive(['ledger'], (batch) => {
    const newest = batch.at(-1)?.data
    const note = typeof newest === 'object' && newest !== null && 'checkpoint' in newest ? newest.checkpoint : null
    if (typeof note === 'string') queries.setQueryData(checkpointQuery.queryKey, note)
    else void queries.invalidateQueries({ queryKey: checkpointQuery.queryKey })
  })
  const size = checkpoint.data === undefined ? null : signedSize(checkpoint.data)
  return (
    <Link href="/ledger" className="hidden items-center gap-1.5 whitespace-nowrap text-muted hover:text-ink sm:flex">
      <Icon name="shield" />
      {checkpoint.isError
        ? 'Ledger: not available'
        : `Ledger: ${size === null ? '…' : `${number(size)} events signed`}`}
    </Link>
  )
}

/** The size is the second line of a signed note. */
function signedSize(note: string): number | null {
  const line = note.split('\n')[1]
  return line !== undefined && /^\d+$/.test(line) ? Number(line) : null
}

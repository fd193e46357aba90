// The ledger page: last checkpoint, verification, witnesses and events.
import { useQuery } from '@tanstack/react-query'
import { number } from '@/components/ui/value.tsx'
import { checkpointQuery } from '@/ledger/checkpoint.ts'
import { CheckpointPanel, useCheckedNote } from './checkpoint.tsx'
import { Events } from './events.tsx'
import { keyQuery } from './queries.ts'
import { Verify } from './verify.tsx'
import { Disagreement, WitnessesPanel } from './witnesses.tsx'

export default function LedgerPage() {
  const note = useQuery(checkpointQuery)
  const key = useQuery(keyQuery)
  const checked = useCheckedNote(note.data ?? '', key.data ?? '')
  const size = typeof checked.data === 'object' ? checked.data.size : null
  return (
    <div className="flex flex-col gap-4">
      <header className="flex flex-wrap items-baseline gap-x-3">
        <h1 className="font-medium text-xl">Ledger</h1>
        <p className="text-muted">{size === null ? ' ' : `${number(size)} events signed`}</p>
      </header>
      <Disagreement />
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <CheckpointPanel />
        <Verify />
      </div>
      <WitnessesPanel />
      <Events size={size} />
    </div>
  )
}

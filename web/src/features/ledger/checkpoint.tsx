// The last checkpoint with its size, origin and key. Its signature is checked in the browser with the published key.
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Badge } from '@/components/ui/badge.tsx'
import { Copy } from '@/components/ui/copy.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { Age, number } from '@/components/ui/value.tsx'
import { checkpointQuery } from '@/ledger/checkpoint.ts'
import { type Checkpoint, fingerprint, verifyNote } from '@/ledger/note.ts'
import { keyQuery, leafQuery } from './queries.ts'

export function CheckpointPanel() {
  const note = useQuery(checkpointQuery)
  const key = useQuery(keyQuery)
  const failed = note.error ?? key.error
  return (
    <Panel title="Last checkpoint" aside={key.data && <Copy text={key.data.trim()} what="the key" />}>
      <div className="min-h-28 px-4 py-3">
        {note.data !== undefined && key.data !== undefined ? (
          <Signed note={note.data} keyText={key.data} />
        ) : failed ? (
          <Failed what="The checkpoint" problem={failed} retry={() => void note.refetch()} />
        ) : (
          <Loading rows={4} label="Loading the checkpoint" />
        )}
      </div>
    </Panel>
  )
}

/** The checkpoint after its signature has been checked, or the reason why it is invalid. */
export function useCheckedNote(note: string, keyText: string) {
  return useQuery({
    queryKey: ['ledger', 'checked', note, keyText],
    queryFn: (): Promise<Checkpoint | string> => verifyNote(note, keyText).catch((problem: Error) => problem.message),
    staleTime: Number.POSITIVE_INFINITY,
    // Each checkpoint has its own cache entry. With a longer life, they would pile up on a page that stays open.
    gcTime: 10_000,
    placeholderData: keepPreviousData,
  })
}

function Signed({ note, keyText }: { note: string; keyText: string }) {
  const checked = useCheckedNote(note, keyText)
  if (checked.data === undefined) return <Loading rows={4} label="Checking the signature" />
  if (typeof checked.data === 'string') {
    return (
      <div role="alert" className="flex flex-col items-start gap-2 text-sm">
        <Badge tone="flagged">Invalid signature</Badge>
        <p className="foreign">{checked.data}. Do not rely on this log until the cause is known.</p>
      </div>
    )
  }
  const { origin, size, root } = checked.data
  if (size === 0) return <Empty title="The log is empty">Its first event will be signed within a second.</Empty>
  return (
    <DefinitionList
      rows={[
        [
          'Signature',
          <Badge key="signature" tone="safe">
            Valid, checked here
          </Badge>,
        ],
        ['Size', `${number(size)} events`],
        ['Newest event', <Newest key="newest" index={size - 1} />],
        ['Origin', <Code key="origin" text={origin} />],
        ['Root', <Code key="root" text={btoa(String.fromCharCode(...root))} />],
        ['Published key', <Code key="key" text={keyText.trim()} />],
        ['Fingerprint', <Code key="fingerprint" text={fingerprint(keyText)} />],
      ]}
    />
  )
}

function Code({ text }: { text: string }) {
  return <code className="foreign font-mono text-xs">{text}</code>
}

/** A checkpoint has no time of its own, so the time of its last event is shown. */
function Newest({ index }: { index: number }) {
  const leaf = useQuery({ ...leafQuery(index), placeholderData: keepPreviousData, gcTime: 10_000 })
  if (leaf.data === undefined) return <>…</>
  const { recorded_at } = JSON.parse(leaf.data.header) as { recorded_at: string }
  return (
    <>
      Recorded <Age at={recorded_at} /> ago
    </>
  )
}

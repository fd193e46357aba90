// The witnesses that keep this log's checkpoints, and whether they agree with it.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Age, number } from '@/components/ui/value.tsx'
import { witnessesQuery } from './queries.ts'

type Witness = Schemas['WitnessStatus']
type Witnesses = Schemas['Witnesses']

const STATES: Record<Witness['state'], { tone: Tone; text: string }> = {
  waiting: { tone: 'neutral', text: 'Not contacted yet' },
  current: { tone: 'safe', text: 'Cosigning' },
  unreachable: { tone: 'warning', text: 'Unreachable' },
  refused: { tone: 'warning', text: 'Refuses to cosign' },
  disagrees: { tone: 'flagged', text: 'Conflicting history' },
}

export function WitnessesPanel() {
  const witnesses = useQuery(witnessesQuery)
  return (
    <Panel title="Witnesses" aside={witnesses.data && <Count {...witnesses.data} />}>
      {witnesses.data ? (
        <WitnessList {...witnesses.data} />
      ) : witnesses.error ? (
        <Failed what="The witnesses" problem={witnesses.error} retry={() => void witnesses.refetch()} />
      ) : (
        <div className="px-4 py-3">
          <Loading rows={2} label="Loading the witnesses" />
        </div>
      )}
    </Panel>
  )
}

/** A warning at the top of the page if a witness has cosigned a conflicting history. */
export function Disagreement() {
  const witnesses = useQuery(witnessesQuery)
  const disagreeing = witnesses.data?.items.filter(({ state }) => state === 'disagrees') ?? []
  if (disagreeing.length === 0) return null
  return (
    <p role="alert" className="flex items-center gap-1.5 rounded-md bg-flagged-tint px-4 py-2.5 text-flagged text-sm">
      <Icon name="flag" />
      <span>
        <span className="foreign">{disagreeing.map(({ name }) => name).join(', ')}</span> has cosigned a conflicting
        history of this log. Do not change the data directory, and run{' '}
        <code className="font-mono text-xs">countersign verify</code> with the witness.
      </span>
    </p>
  )
}

function Count({ current, items, required }: Witnesses) {
  if (items.length === 0) return null
  return (
    <span className="text-muted text-xs">
      {current} of {items.length} cosign{required > 0 && `, ${required} required`}
    </span>
  )
}

function WitnessList({ items, publish, missing, on_missing }: Witnesses) {
  return (
    <>
      {missing && (
        <p role="alert" className="flex items-center gap-1.5 border-line border-b px-4 py-2.5 text-sm text-warning">
          <Icon name="warning" />
          <span>
            Fewer witnesses cosign than are required
            {on_missing === 'refuse' ? ', so no new work is accepted.' : '. New work is still accepted.'}
          </span>
        </p>
      )}
      {items.length === 0 && !publish ? (
        <p className="px-4 py-3 text-sm">
          No witness keeps this log’s checkpoints. Anyone who can write to the data directory could rewrite the log
          unnoticed. A witness on another machine would reveal it: see{' '}
          <code className="font-mono text-xs">docs/ledger.md</code>.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {items.map((witness) => (
            <WitnessRow key={witness.url} {...witness} />
          ))}
          {publish && <Published {...publish} />}
        </ul>
      )}
    </>
  )
}

function WitnessRow({ name, url, state, detail, size, cosigned_at }: Witness) {
  const { tone, text } = STATES[state]
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <Badge tone={tone}>{text}</Badge>
      <span className="foreign min-w-0 font-medium">{name}</span>
      <span className="foreign min-w-0 text-muted text-xs">{url}</span>
      {typeof size === 'number' && (
        <span className="text-muted text-xs sm:ml-auto">
          {number(size)} events
          {cosigned_at && (
            <>
              , <Age at={cosigned_at} /> ago
            </>
          )}
        </span>
      )}
      {detail && <p className="foreign basis-full">{sentence(detail)}</p>}
    </li>
  )
}

function Published({ target, size, detail }: Schemas['PublishStatus']) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
      <Badge tone={detail ? 'warning' : size == null ? 'neutral' : 'safe'}>
        {detail ? 'Not published' : size == null ? 'Not published yet' : 'Published'}
      </Badge>
      <span className="foreign min-w-0">{target}</span>
      {typeof size === 'number' && <span className="text-muted text-xs sm:ml-auto">{number(size)} events</span>}
      {detail && <p className="foreign basis-full">{sentence(detail)}</p>}
    </li>
  )
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

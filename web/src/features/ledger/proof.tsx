// The proof of one event, one line per step.
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Hash } from '@/components/ui/value.tsx'
import { type ProofStep, proofSteps, type StepName } from './proof-steps.ts'
import type { StoredEvent } from './queries.ts'

export function ProofPanel({ event }: { event: StoredEvent }) {
  const proof = useQuery({
    queryKey: ['event', event.event_id, 'proof'],
    queryFn: ({ signal }) => prove(event, signal),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const again = (
    <Button icon="refresh" disabled={proof.isFetching} onClick={() => void proof.refetch()}>
      Check again
    </Button>
  )
  return (
    <Panel title="Proof, checked in this browser" aside={proof.data && again}>
      {proof.data ? (
        <Steps steps={proof.data} />
      ) : proof.isError ? (
        <Failed what="The data for the proof" problem={proof.error} retry={() => void proof.refetch()} />
      ) : (
        <Loading rows={4} label="Checking the proof" />
      )}
    </Panel>
  )
}

async function prove(event: StoredEvent, signal: AbortSignal): Promise<ProofStep[]> {
  const index = event.seq
  const [leaf, note, key] = await Promise.all([
    take(api.GET('/api/ledger/leaf/{index}', { params: { path: { index } }, signal })),
    take(api.GET('/api/ledger/checkpoint', { parseAs: 'text', signal })),
    take(api.GET('/api/ledger/key', { parseAs: 'text', signal })),
  ])
  const inclusion = async (size: number) =>
    (await take(api.GET('/api/ledger/inclusion', { params: { query: { index, size } }, signal }))).proof
  return proofSteps({ event, leaf, note, key, inclusion })
}

function Steps({ steps }: { steps: ProofStep[] }) {
  const [tone, words] = verdict(steps)
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <p role="status">
        <Badge tone={tone}>{words}</Badge>
      </p>
      <ol className="flex flex-col gap-2.5 text-sm">
        {steps.map((step) => (
          <StepLine key={step.name} step={step} />
        ))}
      </ol>
    </div>
  )
}

function verdict(steps: ProofStep[]): [Tone, string] {
  if (steps.some(({ state }) => state === 'fails')) return ['flagged', 'Does not verify']
  if (steps.every(({ state }) => state === 'holds')) return ['safe', 'Verified']
  const isSigned = steps.some(({ name, state }) => name === 'signature' && state === 'holds')
  return isSigned ? ['safe', 'Header verified'] : ['neutral', 'Not signed yet']
}

const TITLES: Record<StepName, string> = {
  content: 'Content to commitment',
  header: 'Header to leaf',
  tree: 'Leaf to root',
  signature: 'Root to signature',
}

const LOOKS: Record<ProofStep['state'], [icon: IconName, tone: string, word: string]> = {
  holds: ['check', 'text-safe', 'valid'],
  fails: ['flag', 'text-flagged', 'invalid'],
  open: ['dot', 'text-muted', 'not checked'],
}

function StepLine({ step }: { step: ProofStep }) {
  const [icon, tone, word] = LOOKS[step.state]
  return (
    <li className="flex gap-2">
      <Icon name={icon} className={`mt-0.5 ${tone}`} />
      <div className="min-w-0">
        <p className="font-medium">
          {TITLES[step.name]}: <span className={tone}>{word}</span>
        </p>
        <p className="foreign text-muted">
          {step.text} {step.hash && <Hash value={step.hash} />}
        </p>
      </div>
    </li>
  )
}

// The model calls for one answer: each attempt with its tokens, duration and cost, as far as they are known.
import { useQuery } from '@tanstack/react-query'
import { api, take } from '@/api/client.ts'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'

interface ModelCall {
  purpose: string
  provider: string
  model: string
  attempt: number
  outcome: string
  input_tokens?: number
  output_tokens?: number
  cost_usd?: string
  latency_ms: number
}

const callsQuery = (logId: string) => ({
  queryKey: ['logs', 'calls', logId],
  queryFn: async ({ signal }: { signal: AbortSignal }) => {
    const query = { type: ['MODEL_CALLED'], correlation_id: logId, limit: 100 }
    const { items } = await take(api.GET('/api/events', { params: { query }, signal }))
    return items.map(({ event_id, payload }) => ({ id: event_id, call: (payload ?? null) as ModelCall | null }))
  },
})

export function ModelCalls({ logId }: { logId: string }) {
  const calls = useQuery(callsQuery(logId))
  if (calls.isPending) return <Loading rows={2} label="Loading the model calls" />
  if (calls.isError) return <Failed what="The model calls" problem={calls.error} retry={() => void calls.refetch()} />
  if (calls.data.length === 0) return <p className="text-muted text-sm">No model calls are recorded for this answer.</p>
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {calls.data.map(({ id, call }) => (
        <li key={id} className="rounded-md border border-line px-3 py-2">
          {call === null ? <span className="text-muted">This call has been erased.</span> : <OneCall call={call} />}
        </li>
      ))}
    </ul>
  )
}

function OneCall({ call }: { call: ModelCall }) {
  const facts = [
    ['Tokens in', tokenCount(call.input_tokens)],
    ['Tokens out', tokenCount(call.output_tokens)],
    ['Time', `${number(call.latency_ms)} ms`],
    ['Cost', call.cost_usd === undefined ? 'Unknown' : `USD ${call.cost_usd}`],
  ]
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium">{inWords(PURPOSES, call.purpose)}</span>
        <span className="foreign">
          {call.provider}/{call.model}
        </span>
        <span className="text-muted">
          attempt {call.attempt}, {inWords(OUTCOMES, call.outcome)}
        </span>
      </p>
      <dl className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs">
        {facts.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const PURPOSES: Record<string, string> = {
  worker: 'Answer',
  gateway: 'Answer',
  auditor: 'Audit',
  writer: 'Report',
  supervisor: 'Report check',
}

const OUTCOMES: Record<string, string> = {
  ok: 'succeeded',
  timeout: 'timed out',
  connection: 'could not connect',
  client_error: 'request rejected',
  refused: 'access denied',
  safety: 'blocked by the provider’s safety filter',
  empty: 'empty reply',
  truncated: 'reply cut off',
  malformed: 'unreadable reply',
  too_large: 'reply too large',
  circuit_open: 'not called: circuit breaker open',
}

function inWords(names: Record<string, string>, name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name.replaceAll('_', ' ')
}

function tokenCount(count: number | undefined): string {
  return count === undefined ? 'Unknown' : number(count)
}

// The model providers: their health, call counts, and today's usage.
import { useQuery } from '@tanstack/react-query'
import { Badge, Simulated, type Tone } from '@/components/ui/badge.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'
import { type Provider, providersQuery } from './queries.ts'

const SIMULATED = 'simulated'

export function Providers() {
  const providers = useQuery(providersQuery)
  if (providers.data === undefined) {
    return (
      <Panel title="Providers">
        {providers.isError ? (
          <Failed what="The providers" problem={providers.error} retry={() => void providers.refetch()} />
        ) : (
          <Loading rows={4} label="Loading the providers" />
        )}
      </Panel>
    )
  }
  const { worker, auditor, items } = providers.data
  return (
    <Panel title="Providers">
      <div className="px-4 py-3">
        <DefinitionList
          rows={[
            ['Model for answers', <AnsweringModel key="worker" name={worker} />],
            ['Auditor', auditor === 'builtin' ? 'Built-in inspectors, no model' : auditor],
          ]}
        />
      </div>
      <ul className="divide-y divide-line border-line border-t">
        {items.map((provider) => (
          <OneProvider key={provider.name} provider={provider} />
        ))}
      </ul>
    </Panel>
  )
}

function AnsweringModel({ name }: { name: string }) {
  if (!name.startsWith(`${SIMULATED}/`)) return <>{name}</>
  return (
    <>
      <Simulated /> Set <code className="font-mono text-xs">COUNTERSIGN_WORKER</code> to use a model
    </>
  )
}

function OneProvider({ provider }: { provider: Provider }) {
  const [tone, words] = health(provider)
  const tokensMax = provider.tokens_per_day == null ? null : number(provider.tokens_per_day)
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-2">
        <h3 className="foreign font-medium">{provider.name}</h3>
        <Badge tone={tone}>{words}</Badge>
        {provider.name === SIMULATED && <Simulated />}
      </div>
      {provider.key === 'refused' && (
        <p className="text-sm">The provider refused this key when the server started. Replace the key and restart.</p>
      )}
      <dl className="grid grid-cols-[repeat(auto-fill,minmax(6.5rem,1fr))] gap-x-4 gap-y-2 text-sm">
        <Figure name="Calls" value={number(provider.calls)} />
        <Figure name="Failures" value={number(provider.failures)} />
        <Figure name="In flight" value={number(provider.in_flight)} />
        <Figure name="Tokens today" value={used(number(provider.tokens_today), tokensMax)} />
        <Figure name="Cost today" value={used(`USD ${provider.cost_usd_today}`, provider.usd_per_day)} />
      </dl>
      {provider.models.length > 0 && (
        <ul className="flex flex-col gap-1 text-muted text-sm">
          {provider.models.map(({ model, circuit }) => (
            <li key={model} className="foreign">
              {model}: {CIRCUITS[circuit] ?? circuit}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const CIRCUITS: Record<string, string> = {
  closed: 'available',
  open: 'paused for a while after too many failures',
  half_open: 'testing one call after too many failures',
}

function health({ key, calls, failures, models }: Provider): [Tone, string] {
  if (key === 'refused') return ['flagged', 'Key refused']
  if (models.some(({ circuit }) => circuit === 'open')) return ['flagged', 'Paused after failures']
  if (models.some(({ circuit }) => circuit === 'half_open')) return ['warning', 'Retrying']
  if (calls === 0) return key === 'unreachable' ? ['warning', 'Unreachable at startup'] : ['neutral', 'Not called yet']
  return failures > 0 ? ['warning', 'Working, with failures'] : ['safe', 'Working']
}

/** Today's usage, with the daily budget if there is one. */
function used(today: string, max: string | null | undefined): string {
  return max == null ? `${today}, no budget` : `${today} of ${max}`
}

function Figure({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-muted text-xs">{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}

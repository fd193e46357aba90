// The detector's rules in force: what each adds to a score, what it says, and its exact condition.
import { useQuery } from '@tanstack/react-query'
import { Facts, Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { When } from '@/components/ui/value.tsx'
import { type Rule, rulesQuery } from './queries.ts'

export function Rules() {
  const rules = useQuery(rulesQuery)
  if (rules.data === undefined) {
    return (
      <Panel title="Rules in force">
        {rules.isError ? (
          <Failed what="The rules" problem={rules.error} retry={() => void rules.refetch()} />
        ) : (
          <Loading rows={6} label="Loading the rules" />
        )}
      </Panel>
    )
  }
  const { items, rules_hash, loaded_at, source } = rules.data
  return (
    <Panel title="Rules in force" aside={<span className="text-muted text-sm">{items.length} rules</span>}>
      <div className="px-4 py-3">
        <Facts
          rows={[
            ['Source', source],
            ['In force since', loaded_at ? <When key="since" at={loaded_at} /> : 'not recorded'],
            [
              'SHA-256',
              <code key="hash" className="foreign font-mono text-xs">
                {rules_hash}
              </code>,
            ],
          ]}
        />
        <p className="max-w-prose pt-2 text-muted text-xs">
          Every alert carries this hash: it says by which rules it arose.
        </p>
      </div>
      {items.length === 0 && (
        <Empty title="No rule is in force">Only what is measured against a customer’s own history makes alerts.</Empty>
      )}
      <ul className="divide-y divide-line border-line border-t">
        {items.map((rule) => (
          <OneRule key={rule.name} rule={rule} />
        ))}
      </ul>
    </Panel>
  )
}

function OneRule({ rule }: { rule: Rule }) {
  return (
    <li className="flex flex-col gap-1 px-4 py-2.5 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="foreign font-medium">{rule.name}</span>
        <span className="whitespace-nowrap text-muted">{rule.weight} points</span>
      </p>
      <p className="foreign">{rule.message}</p>
      <details>
        <summary className="text-muted text-xs hover:text-ink">Condition</summary>
        <code className="foreign mt-1 block rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs">
          {rule.when.trim()}
        </code>
      </details>
    </li>
  )
}

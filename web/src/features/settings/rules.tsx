// The detector's active rules: each with its points, message and condition.
import { useQuery } from '@tanstack/react-query'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { sentenceCase, When } from '@/components/ui/value.tsx'
import { type Rule, rulesQuery } from './queries.ts'

export function Rules() {
  const rules = useQuery(rulesQuery)
  if (rules.data === undefined) {
    return (
      <Panel title="Detection rules">
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
    <Panel title="Detection rules" aside={<span className="text-muted text-sm">{items.length} rules</span>}>
      <div className="px-4 py-3">
        <DefinitionList
          rows={[
            ['Source', source],
            ['Active since', loaded_at ? <When key="since" at={loaded_at} /> : 'Not recorded'],
            [
              'SHA-256',
              <code key="hash" className="foreign font-mono text-xs">
                {rules_hash}
              </code>,
            ],
          ]}
        />
        <p className="max-w-prose pt-2 text-muted text-xs">
          Every alert records this hash, which identifies the rules that raised it.
        </p>
      </div>
      {items.length === 0 && (
        <Empty title="No active rules">Alerts come only from comparisons with a customer’s own history.</Empty>
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
        <span title={rule.name} className="foreign font-medium">
          {sentenceCase(rule.name)}
        </span>
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

// Other alerts for the same customer.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { SeverityBadge } from '@/components/ui/badge.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Age } from '@/components/ui/value.tsx'
import { isMasked } from './customer.ts'
import { relatedQuery } from './queries.ts'
import { whatHappened } from './signals.ts'
import { StateBadge } from './state.tsx'

export function RelatedAlerts({ one }: { one: Schemas['Investigation'] }) {
  const list = useQuery(relatedQuery(one))
  const others = list.data?.items.filter((alert) => alert.alert_id !== one.alert_id) ?? []
  return (
    <Panel
      title="Other alerts for this customer"
      aside={
        isMasked(one.user_id) ? null : (
          <Link
            href={`/investigations?show=alerts&user_id=${encodeURIComponent(one.user_id)}`}
            className="text-accent text-sm underline underline-offset-2"
          >
            View all
          </Link>
        )
      }
    >
      {list.isPending && <Loading rows={3} label="Loading the customer's alerts" />}
      {list.isError && <Failed what="The alerts" problem={list.error} retry={() => void list.refetch()} />}
      {list.isSuccess && others.length === 0 && (
        <p className="px-4 py-3 text-muted text-sm">This is the only alert for this customer.</p>
      )}
      <ul className="max-h-80 overflow-y-auto">
        {others.map((alert) => (
          <li key={alert.alert_id} className="border-line border-b last:border-b-0">
            <Link
              href={alert.investigation_id ? `/investigations/${alert.investigation_id}` : `/ledger/${alert.event_id}`}
              className="flex flex-col gap-1 px-4 py-2 text-sm hover:bg-sunken"
            >
              <span className="flex flex-wrap items-center gap-2">
                <SeverityBadge severity={alert.severity} />
                <span>{alert.score}</span>
                <StateBadge state={alert.status} />
                <span className="ml-auto text-muted">
                  <Age at={alert.created_at} />
                </span>
              </span>
              <span className="line-clamp-1 text-muted [overflow-wrap:anywhere] [unicode-bidi:isolate]">
                {whatHappened(alert.metadata)}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

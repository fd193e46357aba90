// The empty state of the queue: what will appear in it, and how to produce it.
import { Link } from 'wouter'
import { Copy } from '@/components/ui/copy.tsx'
import { Empty } from '@/components/ui/states.tsx'
import type { Filters, View } from './queue.ts'

const TITLES: Record<View, string> = {
  waiting: 'No reviews waiting',
  all: 'No investigations yet',
  decided: 'No decisions yet',
  alerts: 'No alerts yet',
}

export function EmptyQueue({ view, filters }: { view: View; filters: Filters }) {
  if (filters.severity !== null || filters.status !== null || filters.user !== null) {
    return (
      <Empty title={view === 'alerts' ? 'No alerts match' : 'No investigations match'}>
        <p>
          No entry matches these filters.{' '}
          <Link href={`/investigations?show=${view}`} className="text-accent underline underline-offset-2">
            Clear filters
          </Link>
        </p>
      </Empty>
    )
  }
  return (
    <Empty title={TITLES[view]}>
      <div className="flex flex-col gap-3 text-left">
        {view === 'waiting' && (
          <p>
            Critical cases, and reports that did not pass the report check, wait here for a reviewer’s decision. All
            others are in{' '}
            <Link href="/investigations?show=all" className="text-accent underline underline-offset-2">
              all investigations
            </Link>
            .
          </p>
        )}
        <p>
          Alerts are raised by the detector or sent by an external system. From medium severity on, each opens an
          investigation, and a report is written and checked. To send an alert:
        </p>
        <Command
          text={`curl ${location.origin}/api/alerts -H 'content-type: application/json' -d '{"alert_id":"first","user_id":"user-0001","severity":"critical","score":91}'`}
        />
        <p>
          Or run <code className="font-mono">countersign demo</code> to see made-up customers in a separate data
          directory.
        </p>
      </div>
    </Empty>
  )
}

function Command({ text }: { text: string }) {
  return (
    <div className="flex flex-col items-start gap-2 rounded-md border border-line bg-sunken p-2">
      <code className="foreign font-mono text-ink text-xs">{text}</code>
      <Copy text={text} what="the command" />
    </div>
  )
}

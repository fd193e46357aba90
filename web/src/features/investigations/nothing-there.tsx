// An empty queue says what will appear in it, and how to make it appear.
import { Link } from 'wouter'
import { Copy } from '@/components/ui/copy.tsx'
import { Empty } from '@/components/ui/states.tsx'
import type { Filters, View } from './queue.ts'

const TITLES: Record<View, string> = {
  waiting: 'Nothing waits for a person',
  all: 'There are no investigations yet',
  decided: 'Nobody has decided anything yet',
  alerts: 'There are no alerts yet',
}

export function NothingThere({ view, filters }: { view: View; filters: Filters }) {
  if (filters.severity !== null || filters.status !== null || filters.user !== null) {
    return (
      <Empty title="Nothing matches">
        <p>
          The list has no row of this kind.{' '}
          <Link href={`/investigations?show=${view}`} className="text-accent underline underline-offset-2">
            Show all of it
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
            Critical cases, and reports that the supervisor doubts, wait here until a reviewer decides. The others are
            in{' '}
            <Link href="/investigations?show=all" className="text-accent underline underline-offset-2">
              all investigations
            </Link>
            .
          </p>
        )}
        <p>
          Alerts are raised by the detector when transactions come in, or sent in by another one. From medium severity
          on, each opens an investigation, and a report is written and judged. To send one in:
        </p>
        <Command
          text={`curl ${location.origin}/api/alerts -H 'content-type: application/json' -d '{"alert_id":"first","user_id":"user-0001","severity":"critical","score":91}'`}
        />
        <p>
          Or run <code className="font-mono">countersign demo</code> to see made-up customers, in a data directory of
          its own.
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

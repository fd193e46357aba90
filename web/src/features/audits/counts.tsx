// The number of answers with each verdict, as figures and as shares of one bar.
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { number } from '@/components/ui/value.tsx'
import type { Status } from './log.ts'

const SHOWN: { status: Status; icon: IconName; text: string; fill: string }[] = [
  { status: 'Safe', icon: 'check', text: 'text-safe', fill: 'bg-safe' },
  { status: 'Warning', icon: 'warning', text: 'text-warning', fill: 'bg-warning' },
  { status: 'Flagged', icon: 'flag', text: 'text-flagged', fill: 'bg-flagged' },
]

export function StatusCounts({ byStatus, total }: { byStatus: Record<Status, number>; total: number }) {
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid gap-x-3 gap-y-1 sm:grid-cols-3">
        {SHOWN.map(({ status, icon, text }) => (
          <div key={status} className="flex min-w-0 items-baseline justify-between gap-2 sm:block">
            <dt className={`flex items-center gap-1 text-sm ${text}`}>
              <Icon name={icon} size={13} />
              {status}
            </dt>
            <dd className="font-semibold text-lg sm:text-xl">{number(byStatus[status])}</dd>
          </div>
        ))}
      </dl>
      <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-sm bg-sunken">
        {SHOWN.map(({ status, fill }) => (
          <div key={status} className={fill} style={{ width: share(byStatus[status], total) }} />
        ))}
      </div>
    </div>
  )
}

/** Even the rarest verdict keeps a visible share. */
function share(count: number, total: number): string {
  return count === 0 || total === 0 ? '0' : `max(3px, ${(count / total) * 100}%)`
}

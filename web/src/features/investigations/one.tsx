// One investigation: its state and score, the signals, the customer's usual activity, the report and the timeline.
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { SeverityBadge } from '@/components/ui/badge.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Age } from '@/components/ui/value.tsx'
import { isAbout, useLiveInvalidation } from '@/live/live.tsx'
import { CaseActions } from './actions.tsx'
import { Baseline } from './baseline.tsx'
import { masked } from './customer.ts'
import { investigationQuery } from './queries.ts'
import { RelatedAlerts } from './related.tsx'
import { ReportCard } from './report-card.tsx'
import { ScoreSum } from './score-sum.tsx'
import { SenderPanel } from './sender.tsx'
import { SignalList } from './signal-list.tsx'
import { composition, readSignals } from './signals.ts'
import { approvedBy, StateBadge } from './state.tsx'
import { Anomalies, Reviews, Timeline } from './timeline.tsx'
import { TransactionPanel } from './transaction.tsx'
import { Travel } from './travel.tsx'

const LIVE_TYPES = ['alert', 'investigation', 'report', 'validation', 'review'] as const
const REFETCH_MS = 300

export default function InvestigationPage({ id }: { id: string }) {
  const one = useQuery(investigationQuery(id))
  if (one.isPending) return <Loading rows={12} label="Loading the investigation" />
  if (one.isError) {
    return <Failed what="The investigation" problem={one.error} retry={() => void one.refetch()} />
  }
  return <Investigation one={one.data} />
}

function Investigation({ one }: { one: Schemas['Investigation'] }) {
  const reports = one.reports.map(({ id }) => id)
  const concerns = isAbout(one.investigation_id, ...reports)
  useLiveInvalidation(LIVE_TYPES, ['investigation', one.investigation_id], REFETCH_MS, concerns)
  useLiveInvalidation(['alert'], ['customer', one.user_id], REFETCH_MS, isAbout(one.user_id))
  const signals = readSignals(one.alert?.metadata)
  const trip = signals.find(({ trip }) => trip !== null)?.trip ?? null
  return (
    <div className="flex flex-col gap-4">
      <Head one={one} />
      <ScoreSum composition={composition(signals, one.risk_score)} score={one.risk_score} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_420px]">
        <div className="flex min-w-0 flex-col gap-4">
          <SenderPanel one={one} />
          <SignalList signals={signals} metadata={one.alert?.metadata} />
          <Baseline one={one} />
          {trip && <Travel trip={trip} city={one.transaction?.location?.city ?? null} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <ReportCard one={one} />
          <Anomalies anomalies={one.anomalies} />
          <Timeline events={one.events} isTruncated={one.events_truncated} />
          <Reviews reviews={one.reviews} />
          <TransactionPanel one={one} />
          <RelatedAlerts one={one} />
        </div>
      </div>
      {one.alert === null && <Erased />}
    </div>
  )
}

function Head({ one }: { one: Schemas['Investigation'] }) {
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <Link href="/investigations" className="flex items-center gap-1 self-start text-muted text-sm hover:text-ink">
          <Icon name="left" />
          Investigations
        </Link>
        <h1 className="flex flex-wrap items-center gap-2 font-semibold text-xl">
          <StateBadge state={one.status} approvedBy={approvedBy(one.reviews)} />
          <SeverityBadge severity={one.severity} />
          <span>
            Customer <span className="font-mono [unicode-bidi:isolate]">{masked(one.user_id)}</span>
          </span>
        </h1>
        <p className="foreign text-muted text-sm">
          {one.assigned_to == null ? 'Unassigned' : <Assignee name={one.assigned_to} />} · opened{' '}
          <Age at={one.created_at} /> ago
        </p>
      </div>
      <CaseActions one={one} />
    </header>
  )
}

function Assignee({ name }: { name: string }) {
  return (
    <>
      Assigned to <span className="[overflow-wrap:anywhere] [unicode-bidi:isolate]">{name}</span>
    </>
  )
}

function Erased() {
  return (
    <Panel>
      <p className="px-4 py-3 text-muted">The content of this alert has been erased. The decisions stay on record.</p>
    </Panel>
  )
}

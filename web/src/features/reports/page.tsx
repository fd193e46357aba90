// A report as people read it: the verdict, the sum behind it, each section with what was said about it, and the proof.
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { Link, useSearchParams } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Badge, SeverityBadge } from '@/components/ui/badge.tsx'
import { Fold } from '@/components/ui/fold.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { number, When } from '@/components/ui/value.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { useLiveInvalidation } from '@/live/live.tsx'
import { Happenings, happenings } from './happenings.tsx'
import { Provenance } from './provenance.tsx'
import { caseQuery, factsQuery, reportQuery, verdictsQuery, writtenQuery } from './queries.ts'
import { RecordTree } from './record.tsx'
import { ReviewActions } from './review.tsx'
import { type Issue, readIssue } from './score.ts'
import { ReportSection } from './section.tsx'
import { SECTIONS } from './sections.ts'
import { DECIDED, STATES } from './standing.ts'
import { PassBadge, SupervisorPanel } from './verdict.tsx'
import { Versions } from './versions.tsx'

const MarkdownText = lazy(() => import('./markdown.tsx'))

export default function ReportPage({ id }: { id: string }) {
  const report = useQuery(reportQuery(id))
  useLiveInvalidation(['report', 'validation', 'review', 'investigation'], ['report'])
  useLiveInvalidation(['report', 'validation', 'review', 'investigation'], ['investigation'])
  if (report.isPending) return <Loading rows={12} label="Loading the report" />
  if (report.isError) {
    return <Failed what="The report" problem={report.error} retry={() => void report.refetch()} />
  }
  return <Report report={report.data} />
}

function Report({ report }: { report: Schemas['Report'] }) {
  const verdicts = useQuery(verdictsQuery(report.id))
  const written = useQuery(writtenQuery(report.investigation_id))
  const verdict = verdicts.data?.[0]
  const issues = (verdict?.issues ?? []).map(readIssue)
  const isPlaced = (section: string | null) => SECTIONS.some(({ name }) => name === section)
  useSectionKeys()
  return (
    <article className="flex flex-col gap-4">
      <Head report={report} authors={(written.data ?? []).flatMap(({ requestedBy }) => requestedBy ?? [])} />
      <div className="grid gap-4 xl:grid-cols-[minmax(0,1fr)_400px] xl:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-2">
          {verdicts.isError && (
            <Failed what="The verdict" problem={verdicts.error} retry={() => void verdicts.refetch()} />
          )}
          {verdict && <SupervisorPanel verdict={verdict} issues={issues.filter(({ section }) => !isPlaced(section))} />}
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <Sections report={report} issues={issues} />
          <NextSteps report={report} />
          <Evidence report={report} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-2">
          <Provenance
            report={report}
            verdict={verdict}
            written={written.data?.find(({ reportId }) => reportId === report.id)}
          />
          <Versions report={report} />
        </div>
      </div>
    </article>
  )
}

function Sections({ report, issues }: { report: Schemas['Report']; issues: Issue[] }) {
  const facts = useQuery(factsQuery(report.id))
  return (
    <Panel label="Sections">
      <p className="border-line border-b px-4 py-2 text-muted text-sm">
        {facts.isError
          ? 'The facts behind the numbers could not be read; the text below is complete.'
          : 'Underlined words come from the record: point at one, tap it, or reach it with Tab to see the fact.'}
      </p>
      {SECTIONS.map(({ name }) => (
        <ReportSection
          key={name}
          report={report}
          name={name}
          facts={facts.data?.items.filter(({ section }) => section === name) ?? []}
          issues={issues.filter(({ section }) => section === name)}
        />
      ))}
    </Panel>
  )
}

function Head({ report, authors }: { report: Schemas['Report']; authors: string[] }) {
  const standing = report.status ? STATES[report.status] : null
  return (
    <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="flex min-w-0 flex-col gap-1.5">
        <Link
          href={`/investigations/${report.investigation_id}`}
          className="flex items-center gap-1 self-start text-muted text-sm hover:text-ink"
        >
          <Icon name="left" />
          Investigation
        </Link>
        <h1 className="flex flex-wrap items-center gap-2 font-semibold text-xl">
          <PassBadge passed={report.passed} />
          {report.severity && <SeverityBadge severity={report.severity} />}
          Report, version {report.version}
        </h1>
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
          {standing && <Badge tone={standing.tone}>{standing.word}</Badge>}
          {typeof report.risk_score === 'number' && <span>risk score {report.risk_score} of 100</span>}
          {!report.is_current && <span>not the current version</span>}
          <Decisions report={report} />
        </p>
      </div>
      <div className="flex flex-col gap-2 sm:items-end">
        <ReviewActions report={report} authors={authors} />
        <Exports id={report.id} />
      </div>
    </header>
  )
}

/** What people decided about this version. */
function Decisions({ report }: { report: Schemas['Report'] }) {
  const { data } = useQuery(caseQuery(report.investigation_id))
  const ours = data?.reviews.filter(({ report_id }) => report_id === report.id) ?? []
  return ours.map((review) => (
    <span key={review.event_id} className="foreign">
      <Link href={`/ledger/${review.event_id}`} className="underline underline-offset-2">
        {review.decided_by_name ?? review.decided_by} {DECIDED[review.decision]}
      </Link>{' '}
      <When at={review.decided_at} />
      {review.comment && `: ${review.comment}`}
    </span>
  ))
}

const FORMATS: [format: string, name: string][] = [
  ['md', 'Markdown'],
  ['json', 'JSON'],
  ['html', 'HTML'],
]

function Exports({ id }: { id: string }) {
  return (
    <nav aria-label="Export" className="flex flex-wrap items-center gap-2 text-sm">
      {FORMATS.map(([format, name]) => (
        <a
          key={format}
          href={`/api/reports/${id}/export?format=${format}`}
          download={`report-${id}.${format}`}
          className="inline-flex h-7 items-center gap-1 rounded-md border border-line px-2 text-muted hover:border-line-strong hover:text-ink"
        >
          <Icon name="download" size={14} />
          {name}
        </a>
      ))}
    </nav>
  )
}

function NextSteps({ report }: { report: Schemas['Report'] }) {
  return (
    <Panel title="Recommended next steps">
      <ol className="flex max-w-[84ch] list-decimal flex-col gap-1.5 py-3 pr-4 pl-9">
        {report.recommended_next_steps.map((step) => (
          <li key={step} className="foreign">
            {step.replaceAll('`', '')}
          </li>
        ))}
      </ol>
    </Panel>
  )
}

function Evidence({ report }: { report: Schemas['Report'] }) {
  const [search] = useSearchParams()
  const at = search.get('at')
  const events = happenings(report.structured_data)
  const omitted = report.structured_data.timeline_omitted
  return (
    <div className="flex flex-col gap-2">
      {report.regulatory_statement && (
        <Fold title="Regulatory statement">
          <p className="foreign max-w-[84ch] px-4 py-3">{report.regulatory_statement}</p>
        </Fold>
      )}
      {report.extended_analysis && (
        <Fold title="Extended analysis">
          <p className="foreign max-w-[84ch] px-4 py-3">{report.extended_analysis}</p>
        </Fold>
      )}
      <Fold title="Timeline" aside={`${number(events.length)} entries`}>
        <Happenings items={events} omitted={typeof omitted === 'number' ? omitted : 0} />
      </Fold>
      <Fold title="The record that the writer was given" isAsked={at !== null} aside="identifiers are masked">
        <RecordTree value={report.context} at={at} />
      </Fold>
      <Fold title="Structured data">
        <RecordTree value={report.structured_data} />
      </Fold>
      <Fold title="Whole report as Markdown">
        <Suspense fallback={<Loading label="Loading the Markdown reader" />}>
          <MarkdownText text={report.markdown_content} />
        </Suspense>
      </Fold>
    </div>
  )
}

/** `j` and `k` walk through the sections. */
function useSectionKeys() {
  const walk = (by: 1 | -1) => {
    const all = [...document.querySelectorAll<HTMLElement>('[data-section]')]
    const here = all.indexOf(document.activeElement as HTMLElement)
    const next = here === -1 ? all.at(by === 1 ? 0 : -1) : all[Math.max(0, Math.min(all.length - 1, here + by))]
    next?.focus()
    next?.scrollIntoView({ block: 'start' })
  }
  useShortcut('j', 'Next section', () => walk(1))
  useShortcut('k', 'Section before', () => walk(-1))
}

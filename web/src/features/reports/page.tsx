// The report page: header, report check, sections with their issues, evidence, versions and provenance.
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '@/api/client.ts'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { isAbout, useLiveInvalidation } from '@/live/live.tsx'
import { Addenda } from './addenda.tsx'
import { Evidence, NextSteps } from './evidence.tsx'
import { ReportHead } from './head.tsx'
import { useLicensedSections } from './licensed-sections.ts'
import { Provenance } from './provenance.tsx'
import { factsQuery, generationsQuery, reportQuery, verdictsQuery } from './queries.ts'
import { type Issue, readIssue } from './score.ts'
import { ReportSection } from './section.tsx'
import { SECTIONS } from './sections.ts'
import { SupervisorPanel } from './verdict.tsx'
import { Versions } from './versions.tsx'

const LIVE_TYPES = ['report', 'validation', 'review', 'investigation'] as const
const REFETCH_MS = 300

export default function ReportPage({ id }: { id: string }) {
  const report = useQuery(reportQuery(id))
  if (report.isPending) return <Loading rows={12} label="Loading the report" />
  if (report.isError) {
    return <Failed what="The report" problem={report.error} retry={() => void report.refetch()} />
  }
  return <Report report={report.data} />
}

function Report({ report }: { report: Schemas['Report'] }) {
  useCaseNews(report)
  const verdicts = useQuery(verdictsQuery(report.id))
  const generations = useQuery(generationsQuery(report.investigation_id))
  const verdict = verdicts.data?.[0]
  const issues = (verdict?.issues ?? []).map(readIssue)
  const hasSection = (section: string | null) => SECTIONS.some(({ name }) => name === section)
  useSectionKeys()
  return (
    <article className="flex flex-col gap-4">
      <ReportHead report={report} />
      <div className="grid grid-cols-1 gap-4 xl:grid-cols-[minmax(0,1fr)_400px] xl:grid-rows-[auto_1fr]">
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-2">
          {verdicts.isError && (
            <Failed what="The report check" problem={verdicts.error} retry={() => void verdicts.refetch()} />
          )}
          {verdict && (
            <SupervisorPanel verdict={verdict} issues={issues.filter(({ section }) => !hasSection(section))} />
          )}
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-1 xl:row-span-2 xl:row-start-1">
          <Sections report={report} issues={issues} />
          <NextSteps report={report} />
          <Addenda report={report} />
          <Evidence report={report} />
          <Versions report={report} />
        </div>
        <div className="flex min-w-0 flex-col gap-4 xl:col-start-2">
          <Provenance
            report={report}
            verdict={verdict}
            generation={generations.data?.find(({ reportId }) => reportId === report.id)}
          />
        </div>
      </div>
    </article>
  )
}

function Sections({ report, issues }: { report: Schemas['Report']; issues: Issue[] }) {
  const facts = useQuery(factsQuery(report.id))
  const [licensed, toggle] = useLicensedSections()
  return (
    <Panel label="Sections">
      <p className="border-line border-b px-4 py-2 text-muted text-sm">
        {facts.isError
          ? 'The facts behind the figures could not be loaded. The text below is complete.'
          : 'Underlined words come from the record. Hover over one, tap it or press Tab to see the fact.'}
      </p>
      {SECTIONS.map(({ name }) => (
        <ReportSection
          key={name}
          report={report}
          name={name}
          facts={facts.data?.items.filter(({ section }) => section === name) ?? []}
          sentences={facts.data?.sentences.filter(({ section }) => section === name) ?? []}
          isLicenceShown={licensed.has(name)}
          toggleLicence={() => toggle(name)}
          issues={issues.filter(({ section }) => section === name)}
        />
      ))}
    </Panel>
  )
}

/** Refetches when something changes elsewhere. */
function useCaseNews({ id, investigation_id }: Schemas['Report']) {
  const concerns = isAbout(id, investigation_id)
  useLiveInvalidation(LIVE_TYPES, ['report'], REFETCH_MS, concerns)
  useLiveInvalidation(LIVE_TYPES, ['investigation', investigation_id], REFETCH_MS, concerns)
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
  useShortcut('k', 'Previous section', () => walk(-1))
}

// The rest of a report below its sections, in collapsed panels: next steps, timeline, record, data and Markdown.
import { Suspense } from 'react'
import { useSearchParams } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Fold } from '@/components/ui/fold.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Loading } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'
import { lazyComponent } from '@/lazy-component.ts'
import { RecordTree } from './record.tsx'
import { TimelineEntries, timelineEntries } from './timeline-entries.tsx'

const MarkdownText = lazyComponent(() => import('./markdown.tsx'))

export function NextSteps({ report }: { report: Schemas['Report'] }) {
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

export function Evidence({ report }: { report: Schemas['Report'] }) {
  const [search] = useSearchParams()
  const at = search.get('at')
  const events = timelineEntries(report.structured_data)
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
        <TimelineEntries items={events} omitted={typeof omitted === 'number' ? omitted : 0} />
      </Fold>
      <Fold title="Record: all facts given to the writer" isRequested={at !== null} aside="Identifiers are masked">
        <RecordTree value={report.context} at={at} />
      </Fold>
      <Fold title="Structured data">
        <RecordTree value={report.structured_data} />
      </Fold>
      <Fold title="Full report as Markdown">
        <Suspense fallback={<Loading label="Loading the Markdown reader" />}>
          <MarkdownText text={report.markdown_content} />
        </Suspense>
      </Fold>
    </div>
  )
}

// What a report says beyond its sections, and what it was written from. All of it closed until it is wanted.
import { Suspense } from 'react'
import { useSearchParams } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Fold } from '@/components/ui/fold.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Loading } from '@/components/ui/states.tsx'
import { number } from '@/components/ui/value.tsx'
import { part } from '@/part.ts'
import { Happenings, happenings } from './happenings.tsx'
import { RecordTree } from './record.tsx'

const MarkdownText = part(() => import('./markdown.tsx'))

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

// A section sentence by sentence, each followed by the facts that support it.
import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { type FactInWords, factsInWords } from './licence.ts'
import { useRecordHref } from './record-href.ts'
import { bySpans } from './traced.ts'
import { TracedText } from './traced-text.tsx'

interface Props {
  text: string
  facts: Schemas['Fact'][]
  sentences: Schemas['Sentence'][]
  context: unknown
  reportId: string
}

export function LicensedText({ text, facts, sentences, context, reportId }: Props) {
  const parts = useMemo(
    () => bySpans(text, sentences).filter(({ text }) => text.replaceAll('`', '').trim() !== ''),
    [text, sentences],
  )
  return (
    <ol className="flex max-w-[76ch] flex-col gap-4">
      {parts.map(({ text, start, span }) => (
        <li key={start} className="flex flex-col gap-1.5">
          <TracedText text={text} facts={within(facts, start, text)} context={context} reportId={reportId} />
          <SupportingFacts facts={factsInWords(span?.facts ?? [], context)} reportId={reportId} />
        </li>
      ))}
    </ol>
  )
}

/** The facts within one sentence, with positions relative to its start. */
function within(facts: Schemas['Fact'][], start: number, text: string): Schemas['Fact'][] {
  const end = start + Array.from(text).length
  return facts
    .filter((fact) => fact.start >= start && fact.end <= end)
    .map((fact) => ({ ...fact, start: fact.start - start, end: fact.end - start }))
}

function SupportingFacts({ facts, reportId }: { facts: FactInWords[]; reportId: string }) {
  const recordHref = useRecordHref(reportId)
  if (facts.length === 0) {
    return <p className="border-line border-l-2 pl-3 text-muted text-sm">No fact on record supports this.</p>
  }
  return (
    <dl
      aria-label="Facts that support this sentence"
      className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 gap-y-0.5 border-line border-l-2 pl-3 text-sm"
    >
      {facts.map(({ path, name, value, isOnRecord }) => (
        <div key={path} className="col-span-2 grid grid-cols-subgrid">
          <dt className="foreign text-muted">{name}</dt>
          <dd className="foreign">
            {isOnRecord ? (
              <Link
                href={recordHref(path)}
                title="Show in the record"
                className="decoration-dotted decoration-line-strong underline-offset-3 hover:underline focus-visible:underline"
              >
                {value}
              </Link>
            ) : (
              value
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

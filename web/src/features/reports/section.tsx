// One section: its text, its length against the allowed range, its writer, and the issues found in it.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { number, sentenceCase } from '@/components/ui/value.tsx'
import { LicensedText } from './licensed-text.tsx'
import type { Issue } from './score.ts'
import { SECTIONS, type SectionName, writerOf } from './sections.ts'
import { TracedText } from './traced-text.tsx'

interface Props {
  report: Schemas['Report']
  name: SectionName
  facts: Schemas['Fact'][]
  /** Empty for reports that are older than the fact check of sentences. */
  sentences: Schemas['Sentence'][]
  /** Whether each sentence is shown with the facts that support it. */
  isLicenceShown: boolean
  toggleLicence: () => void
  issues: Issue[]
}

export function ReportSection(props: Props) {
  const { report, name, facts, sentences, isLicenceShown, toggleLicence, issues } = props
  const section = SECTIONS.find((section) => section.name === name)
  const written = report.sections.find((one) => one.section === name)
  if (section === undefined) return null
  const text = report[name]
  return (
    <section
      aria-labelledby={`section-${name}`}
      className="grid grid-cols-1 gap-x-8 gap-y-3 border-line border-b px-4 py-4 last:border-b-0 lg:grid-cols-[minmax(0,76ch)_minmax(200px,1fr)]"
    >
      <div className="flex min-w-0 flex-col gap-2">
        <h2
          id={`section-${name}`}
          tabIndex={-1}
          data-section={name}
          className="scroll-mt-28 font-semibold outline-offset-4"
        >
          {section.heading}
        </h2>
        {text === '' ? (
          <p className="text-muted">This section is missing.</p>
        ) : isLicenceShown && sentences.length > 0 ? (
          <LicensedText text={text} facts={facts} sentences={sentences} context={report.context} reportId={report.id} />
        ) : (
          <TracedText text={text} facts={facts} context={report.context} reportId={report.id} />
        )}
        {text !== '' && sentences.length > 0 && (
          <LicenceToggle heading={section.heading} isShown={isLicenceShown} toggle={toggleLicence} />
        )}
      </div>
      <aside aria-label={`About ${section.heading}`} className="flex flex-col gap-2 text-sm">
        <Length words={written?.words ?? 0} range={section.words} />
        {written && <Writer written={written} />}
        {issues.map((issue) => (
          <IssueNote key={`${issue.type} ${issue.description}`} issue={issue} />
        ))}
      </aside>
    </section>
  )
}

function LicenceToggle({ heading, isShown, toggle }: { heading: string; isShown: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      aria-expanded={isShown}
      onClick={toggle}
      className="-ml-1 inline-flex min-h-8 items-center gap-1 self-start rounded-sm px-1 text-muted text-sm hover:text-ink"
    >
      <Icon name="right" className={isShown ? 'rotate-90' : ''} />
      {isShown ? 'Hide' : 'Show'} the facts behind each sentence
      <span className="sr-only"> in {heading}</span>
    </button>
  )
}

function Length({ words, range: [min, max] }: { words: number; range: [number, number] }) {
  const isWithin = words >= min && words <= max
  return (
    <p className="flex flex-wrap items-center gap-2">
      <span>
        {number(words)} words{' '}
        <span className="text-muted">
          of {min} to {max}
        </span>
      </span>
      {!isWithin && <Badge tone="warning">{words < min ? 'Too short' : 'Too long'}</Badge>}
    </p>
  )
}

function Writer({ written }: { written: Schemas['WrittenSection'] }) {
  return (
    <div className="text-muted">
      <p className="foreign">
        Written by {writerOf(written)}, template {written.template}
        {written.attempts > 1 && `, ${number(written.attempts)} attempts`}
      </p>
      {written.refused && written.refused.length > 0 && (
        <details>
          <summary>
            {number(written.refused.length)} rejected {written.refused.length === 1 ? 'text' : 'texts'}
          </summary>
          <ol className="list-decimal pl-5">
            {written.refused.map((reason, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two texts can be rejected for the same reason; the list is static.
              <li key={at} className="foreign">
                {reason}
              </li>
            ))}
          </ol>
        </details>
      )}
    </div>
  )
}

const TONES: Record<string, Tone> = { high: 'flagged', medium: 'warning', low: 'neutral' }

export function IssueNote({ issue }: { issue: Issue }) {
  return (
    <div className="flex flex-col items-start gap-1 border-line-strong border-l-2 pl-3">
      <span className="flex flex-wrap items-center gap-2">
        <Badge tone={TONES[issue.severity] ?? 'neutral'}>{`${sentenceCase(issue.severity)} issue`}</Badge>
        <span className="text-muted">{issue.type}</span>
      </span>
      <p className="foreign">{issue.description}</p>
    </div>
  )
}

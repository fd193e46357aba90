// Previews what sending a report back with this comment would change. Nothing is recorded.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useState } from 'react'
import type { Schemas } from '@/api/client.ts'
import { Icon } from '@/components/ui/icon.tsx'
import { previewQuery } from './queries.ts'

const TYPING_MS = 350

interface Props {
  reportId: string
  comment: string
}

export function SendBackPreview({ reportId, comment }: Props) {
  const settled = useSettled(comment.trim())
  const plan = useQuery({ ...previewQuery(reportId, settled), enabled: settled !== '' })
  const isStale = settled !== comment.trim() || plan.isFetching
  return (
    <div aria-live="polite" className="min-h-6 text-sm">
      {comment.trim() === '' ? (
        <p className="text-muted">
          The built-in writer can make a section longer or shorter, state a fact that is on record, or change the report
          type. For example: “Make the timeline longer. Mention the merchant in the summary.”
        </p>
      ) : plan.isError ? (
        <p className="text-muted">The preview is not available right now. You can still send the report back.</p>
      ) : plan.data === undefined ? (
        <p className="text-muted">Checking what will change…</p>
      ) : (
        <div className={isStale ? 'opacity-60' : ''}>
          <Plan plan={plan.data} />
        </div>
      )}
    </div>
  )
}

/** What the writer will change, what it can't, and what to do about that. */
function Plan({ plan }: { plan: Schemas['RevisionPlan'] }) {
  const cannot = plan.cannot_act_on ?? []
  const willChange = plan.will_change.length > 0
  const headingId = useId()
  const writer = plan.writer === 'model' ? 'The server' : 'The built-in writer'
  return (
    <div className="flex flex-col gap-2">
      {willChange && (
        <div className="flex flex-col gap-1">
          <p id={headingId} className="font-medium">
            {writer} will:
          </p>
          <ul aria-labelledby={headingId} className="flex list-disc flex-col gap-0.5 pl-5">
            {plan.will_change.map((change) => (
              <li key={change}>{change}</li>
            ))}
          </ul>
        </div>
      )}
      {cannot.length > 0 && (
        <div className="flex items-start gap-2 rounded-md bg-warning-tint px-3 py-2 text-warning">
          <Icon name="warning" className="mt-0.5 shrink-0" />
          <div className="flex min-w-0 flex-col gap-1">
            <p className="font-medium">
              The built-in writer can’t act on {willChange ? 'part of this comment' : 'this comment'}.
            </p>
            <ul className="flex flex-col gap-1">
              {cannot.map(({ part, reason }) => (
                <li key={part} className="foreign">
                  “{part}”: {reason}
                </li>
              ))}
            </ul>
            <p>
              {!willChange && 'No new version will be written, and the case stays in review. '}A configured model can
              act on it, or you can add an addendum in your own words.
            </p>
          </div>
        </div>
      )}
    </div>
  )
}

/** The text after a pause in typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

// The review actions on a report. A decision is shown only once the server has recorded it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import type { Schemas } from '@/api/client.ts'
import { useHasRole, useSession } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { Labelled, Select, TextArea } from '@/components/ui/field.tsx'
import { decide } from './queries.ts'
import { Refusal } from './refusal.tsx'
import { SendBackPreview } from './send-back-preview.tsx'
import { type Decision, forbidden } from './standing.ts'

const WORDS: Record<Decision, { verb: string; title: string; ask: string; note: string }> = {
  approve: {
    verb: 'Approve',
    title: 'Approve this report',
    ask: 'Comment (optional)',
    note: 'Your approval is recorded on the ledger under your name. The investigation is approved once all its reports are.',
  },
  send_back: {
    verb: 'Send back…',
    title: 'Send this report back',
    ask: 'What should change? (required)',
    note: 'Your comment is recorded under your name, and the writer acts on it as far as it can.',
  },
  dispose: {
    verb: 'Close case…',
    title: 'Close this case',
    ask: 'Reason (required)',
    note: 'This closes the investigation permanently. It can’t be reopened.',
  },
}

const DECISIONS: Decision[] = ['approve', 'send_back', 'dispose']

export function ReviewActions({ report }: { report: Schemas['Report'] }) {
  const mayDecide = useHasRole('reviewer')
  const session = useSession()
  const [chosen, setChosen] = useState<Decision | null>(null)
  const reasonId = useId()
  if (!mayDecide) return null
  const refusals = DECISIONS.map((decision) => forbidden(decision, report, session))
  const reasons = [...new Set(refusals.filter((reason) => reason !== null))]
  return (
    <div className="flex flex-col items-start gap-1.5 sm:items-end">
      <fieldset className="flex flex-wrap gap-2">
        <legend className="sr-only">Decide on this report</legend>
        {DECISIONS.map((decision, at) => (
          <Button
            key={decision}
            look={decision === 'approve' ? 'primary' : decision === 'dispose' ? 'danger' : 'plain'}
            disabled={refusals[at] !== null}
            aria-describedby={refusals[at] === null ? undefined : reasonId}
            onClick={() => setChosen(decision)}
          >
            {WORDS[decision].verb}
          </Button>
        ))}
      </fieldset>
      <p id={reasonId} className="max-w-[52ch] text-muted text-sm sm:text-right">
        {reasons.join(' ')}
      </p>
      {!session.keys_required && (
        <p role="note" className="max-w-[52ch] text-muted text-sm sm:text-right">
          Four-eyes review can’t be enforced: this server runs without access keys, so it can’t tell people apart.
        </p>
      )}
      {chosen !== null && (
        <ReviewDialog key={chosen} report={report} decision={chosen} onClose={() => setChosen(null)} />
      )}
    </div>
  )
}

const OUTCOMES: [Schemas['Disposition'] | '', string][] = [
  ['', 'Not stated'],
  ['confirmed_fraud', 'Confirmed fraud'],
  ['false_positive', 'False positive'],
  ['other', 'Other'],
]

interface DialogProps {
  report: Schemas['Report']
  decision: Decision
  onClose: () => void
}

function ReviewDialog({ report, decision, onClose }: DialogProps) {
  const queries = useQueryClient()
  const [comment, setComment] = useState('')
  const [outcome, setOutcome] = useState<Schemas['Disposition'] | ''>('')
  const words = WORDS[decision]
  const formId = useId()
  const deciding = useMutation({
    mutationFn: () =>
      decide(report.id, {
        decision,
        comment,
        ...(decision === 'dispose' && outcome !== '' && { disposition: outcome }),
      }),
    // Refetch after a refusal too: the page may have been out of date.
    onSettled: () =>
      Promise.all(['report', 'investigation', 'queue'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
    onSuccess: onClose,
  })
  const isMissing = decision !== 'approve' && comment.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isMissing) deciding.mutate()
  }
  return (
    <ModalDialog
      open
      onClose={onClose}
      title={words.title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            look={decision === 'dispose' ? 'danger' : 'primary'}
            disabled={isMissing || deciding.isPending}
          >
            {deciding.isPending ? 'Recording…' : words.verb.replace('…', '')}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-muted text-sm">{words.note}</p>
        {decision === 'dispose' && (
          <Labelled label="Outcome">
            <Select
              label="Outcome"
              value={outcome}
              onChange={(value) => setOutcome(value as Schemas['Disposition'] | '')}
              options={OUTCOMES}
            />
          </Labelled>
        )}
        <Labelled label={words.ask}>
          <TextArea value={comment} maxLength={4_000} onChange={(event) => setComment(event.target.value)} />
        </Labelled>
        {decision === 'send_back' && <SendBackPreview reportId={report.id} comment={comment} />}
        {deciding.isError && <Refusal problem={deciding.error} />}
      </form>
    </ModalDialog>
  )
}

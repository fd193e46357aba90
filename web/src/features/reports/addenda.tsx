// Addenda: reviewers' own words on a report, kept apart from the checked text, recorded on the ledger and never changed.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { useHasRole } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { Labelled, TextArea } from '@/components/ui/field.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed } from '@/components/ui/states.tsx'
import { number, When } from '@/components/ui/value.tsx'
import { addAddendum, addendaQuery } from './queries.ts'
import { Refusal } from './refusal.tsx'

const TEXT_CHARS_MAX = 4_000

export function Addenda({ report }: { report: Schemas['Report'] }) {
  const mayAdd = useHasRole('reviewer')
  const addenda = useQuery(addendaQuery(report.id))
  const [isAdding, setAdding] = useState(false)
  const items = addenda.data ?? []
  if (!mayAdd && items.length === 0 && !addenda.isError) return null
  return (
    <Panel title="Addenda" aside={mayAdd && <Button onClick={() => setAdding(true)}>Add addendum…</Button>}>
      <p className="border-line border-b px-4 py-2 text-muted text-sm">
        Reviewers’ own words, not checked against the facts.
      </p>
      {addenda.isError ? (
        <Failed what="The addenda" problem={addenda.error} retry={() => void addenda.refetch()} />
      ) : items.length === 0 ? (
        <p className="px-4 py-3 text-muted text-sm">{addenda.isPending ? 'Loading…' : 'No addenda yet.'}</p>
      ) : (
        <ol className="flex flex-col">
          {items.map((addendum) => (
            <AddendumItem key={addendum.addendum_id} addendum={addendum} version={report.version} />
          ))}
        </ol>
      )}
      {isAdding && <AddendumDialog report={report} onClose={() => setAdding(false)} />}
    </Panel>
  )
}

function AddendumItem({ addendum, version }: { addendum: Schemas['Addendum']; version: number }) {
  return (
    <li className="flex flex-col gap-1.5 border-line border-b px-4 py-3 last:border-b-0">
      <p className="flex flex-wrap items-baseline gap-x-2 gap-y-1 text-sm">
        <span className="foreign font-medium">{addendum.added_by_name ?? addendum.added_by}</span>
        <span className="text-muted">{addendum.role}</span>
        <Link href={`/ledger/${addendum.addendum_id}`} className="text-muted underline underline-offset-2">
          <When at={addendum.added_at} />
        </Link>
        {addendum.version !== version && <span className="text-muted">to version {number(addendum.version)}</span>}
      </p>
      <p className="foreign max-w-[76ch] whitespace-pre-wrap border-line-strong border-l-2 pl-3">{addendum.text}</p>
    </li>
  )
}

function AddendumDialog({ report, onClose }: { report: Schemas['Report']; onClose: () => void }) {
  const queries = useQueryClient()
  const [text, setText] = useState('')
  const formId = useId()
  const adding = useMutation({
    mutationFn: () => addAddendum(report.id, text),
    onSettled: () =>
      Promise.all(['report', 'investigation'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
    onSuccess: onClose,
  })
  const isMissing = text.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isMissing) adding.mutate()
  }
  return (
    <ModalDialog
      open
      onClose={onClose}
      title="Add an addendum"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" disabled={isMissing || adding.isPending}>
            {adding.isPending ? 'Recording…' : 'Add addendum'}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-muted text-sm">
          Your addendum is recorded on the ledger under your name and can’t be changed. It appears below the report and
          in its exports, apart from the checked text. It is never sent to a model or a webhook.
        </p>
        <Labelled label="Addendum (required)">
          <TextArea
            className="min-h-32"
            value={text}
            maxLength={TEXT_CHARS_MAX}
            onChange={(event) => setText(event.target.value)}
          />
        </Labelled>
        {adding.isError && <Refusal problem={adding.error} />}
      </form>
    </ModalDialog>
  )
}

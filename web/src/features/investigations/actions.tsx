// What people do with an investigation: take it, give it to somebody, ask the supervisor to look again.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Schemas } from '@/api/client.ts'
import { useMay, useSession } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { Box } from '@/components/ui/dialog.tsx'
import { Labelled, TextArea, TextInput } from '@/components/ui/field.tsx'
import { askForReview, assign } from './queries.ts'

type Asked = 'assign' | 'review' | null

export function CaseActions({ one }: { one: Schemas['Investigation'] }) {
  const may = useMay('investigator')
  const { name } = useSession()
  const [asked, setAsked] = useState<Asked>(null)
  const giving = useChange(one.investigation_id, (to: string | null) => assign(one.investigation_id, to))
  if (!may) return null
  const isMine = one.assigned_to === name
  return (
    <div className="flex flex-col gap-1.5 sm:items-end">
      <div className="flex flex-wrap gap-2">
        {!isMine && name !== null && (
          <Button icon="person" disabled={giving.isPending} onClick={() => giving.mutate(name)}>
            Take it
          </Button>
        )}
        {one.assigned_to !== null && one.assigned_to !== undefined && (
          <Button disabled={giving.isPending} onClick={() => giving.mutate(null)}>
            Give it back
          </Button>
        )}
        <Button onClick={() => setAsked('assign')}>Give it to…</Button>
        {one.status !== 'disposed' && <Button onClick={() => setAsked('review')}>Ask for a review…</Button>}
      </div>
      <Refused problem={giving.error} />
      {asked === 'assign' && <AssignDialog one={one} onClose={() => setAsked(null)} />}
      {asked === 'review' && <ReviewDialog one={one} onClose={() => setAsked(null)} />}
    </div>
  )
}

/** A change to the investigation; whatever comes of it, the page is read again. */
function useChange<Input>(id: string, change: (input: Input) => Promise<unknown>, onDone?: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSettled: () =>
      Promise.all([['investigation', id], ['queue']].map((queryKey) => queries.invalidateQueries({ queryKey }))),
    ...(onDone && { onSuccess: onDone }),
  })
}

interface DialogProps {
  one: Schemas['Investigation']
  onClose: () => void
}

function AssignDialog({ one, onClose }: DialogProps) {
  const [to, setTo] = useState(one.assigned_to ?? '')
  const giving = useChange(one.investigation_id, () => assign(one.investigation_id, to.trim()), onClose)
  return (
    <Asking
      title="Give this investigation to"
      verb="Give"
      isReady={to.trim() !== '' && !giving.isPending}
      onSubmit={() => giving.mutate(undefined)}
      onClose={onClose}
    >
      <Labelled label="Name">
        <TextInput value={to} maxLength={128} onChange={(event) => setTo(event.target.value)} />
      </Labelled>
      <Refused problem={giving.error} />
    </Asking>
  )
}

function ReviewDialog({ one, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  const asking = useChange(one.investigation_id, () => askForReview(one.investigation_id, reason), onClose)
  return (
    <Asking
      title="Ask for a review"
      verb="Ask"
      isReady={!asking.isPending}
      onSubmit={() => asking.mutate(undefined)}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        The supervisor judges the current report once more, and the investigation waits for a person to decide.
      </p>
      <Labelled label="Reason (not required)">
        <TextArea value={reason} maxLength={4_000} onChange={(event) => setReason(event.target.value)} />
      </Labelled>
      <Refused problem={asking.error} />
    </Asking>
  )
}

interface AskingProps {
  title: string
  verb: string
  isReady: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

function Asking({ title, verb, isReady, onSubmit, onClose, children }: AskingProps) {
  const formId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onSubmit()
  }
  return (
    <Box
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" disabled={!isReady}>
            {verb}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {children}
      </form>
    </Box>
  )
}

function Refused({ problem }: { problem: Error | null }) {
  if (problem === null) return null
  return (
    <p role="alert" className="foreign text-flagged text-sm">
      Nothing was changed: {problem.message}
    </p>
  )
}

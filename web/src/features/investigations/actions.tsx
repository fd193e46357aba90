// The actions on an investigation: assign, unassign and request a review.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useId, useState } from 'react'
import type { Schemas } from '@/api/client.ts'
import { useHasRole, useSession } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { Labelled, TextArea, TextInput } from '@/components/ui/field.tsx'
import { askForReview, assign } from './queries.ts'

type OpenDialog = 'assign' | 'review' | null

export function CaseActions({ one }: { one: Schemas['Investigation'] }) {
  const mayAct = useHasRole('investigator')
  const { name } = useSession()
  const [open, setOpen] = useState<OpenDialog>(null)
  const assigning = useChange(one.investigation_id, (to: string | null) => assign(one.investigation_id, to))
  if (!mayAct) return null
  const isMine = one.assigned_to === name
  return (
    <div className="flex flex-col gap-1.5 sm:items-end">
      <div className="flex flex-wrap gap-2">
        {!isMine && name !== null && (
          <Button icon="person" disabled={assigning.isPending} onClick={() => assigning.mutate(name)}>
            Assign to me
          </Button>
        )}
        {one.assigned_to !== null && one.assigned_to !== undefined && (
          <Button disabled={assigning.isPending} onClick={() => assigning.mutate(null)}>
            Unassign
          </Button>
        )}
        <Button onClick={() => setOpen('assign')}>Assign…</Button>
        {one.status !== 'disposed' && <Button onClick={() => setOpen('review')}>Request review…</Button>}
      </div>
      <ChangeError problem={assigning.error} />
      {open === 'assign' && <AssignDialog one={one} onClose={() => setOpen(null)} />}
      {open === 'review' && <ReviewDialog one={one} onClose={() => setOpen(null)} />}
    </div>
  )
}

/** A change to the investigation. The page is refetched whether it succeeds or fails. */
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
  const assigning = useChange(one.investigation_id, () => assign(one.investigation_id, to.trim()), onClose)
  return (
    <FormDialog
      title="Assign this investigation"
      submitLabel="Assign"
      isReady={to.trim() !== '' && !assigning.isPending}
      onSubmit={() => assigning.mutate(undefined)}
      onClose={onClose}
    >
      <Labelled label="Assignee">
        <TextInput value={to} maxLength={128} onChange={(event) => setTo(event.target.value)} />
      </Labelled>
      <ChangeError problem={assigning.error} />
    </FormDialog>
  )
}

function ReviewDialog({ one, onClose }: DialogProps) {
  const [reason, setReason] = useState('')
  const requesting = useChange(one.investigation_id, () => askForReview(one.investigation_id, reason), onClose)
  return (
    <FormDialog
      title="Request a review"
      submitLabel="Request"
      isReady={!requesting.isPending}
      onSubmit={() => requesting.mutate(undefined)}
      onClose={onClose}
    >
      <p className="text-muted text-sm">
        The supervisor checks the current report again, and the investigation then waits for a reviewer’s decision.
      </p>
      <Labelled label="Reason (optional)">
        <TextArea value={reason} maxLength={4_000} onChange={(event) => setReason(event.target.value)} />
      </Labelled>
      <ChangeError problem={requesting.error} />
    </FormDialog>
  )
}

interface FormDialogProps {
  title: string
  submitLabel: string
  isReady: boolean
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

function FormDialog({ title, submitLabel, isReady, onSubmit, onClose, children }: FormDialogProps) {
  const formId = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady) onSubmit()
  }
  return (
    <ModalDialog
      open
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form={formId} look="primary" disabled={!isReady}>
            {submitLabel}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={submit} className="flex flex-col gap-3">
        {children}
      </form>
    </ModalDialog>
  )
}

function ChangeError({ problem }: { problem: Error | null }) {
  if (problem === null) return null
  return (
    <p role="alert" className="foreign text-flagged text-sm">
      Nothing was changed: {problem.message}
    </p>
  )
}

// Creates an access key and shows it once. The key is kept only while this dialog is open.
import { type FormEvent, useState } from 'react'
import type { Role } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { Copy } from '@/components/ui/copy.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { Labelled, Select, TextInput } from '@/components/ui/field.tsx'
import { useCreateKey } from './queries.ts'

const ROLES: [Role, string][] = [
  ['viewer', 'Viewer: read only'],
  ['investigator', 'Investigator: works on cases'],
  ['reviewer', 'Reviewer: decides on reports'],
  ['admin', 'Admin: full access'],
  ['agent', 'Agent: a program that submits work'],
]

const DAY_MS = 86_400_000
const LIFETIMES: [days: string, shown: string][] = [
  ['', 'Never'],
  ['1', 'After 1 day'],
  ['30', 'After 30 days'],
  ['90', 'After 90 days'],
  ['365', 'After a year'],
]

export function NewKeyDialog({ onClose }: { onClose: () => void }) {
  const creating = useCreateKey()
  const created = creating.data
  return (
    <ModalDialog open onClose={onClose} title={created ? 'Key created' : 'New key'}>
      {created ? (
        <div className="flex flex-col items-start gap-3 text-sm">
          <p className="foreign">
            The key of {created.name} ({created.role}). Copy it now: it is shown only once, because the server stores
            only its hash.
          </p>
          <code className="foreign w-full rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs">
            {created.key}
          </code>
          <div className="flex w-full justify-end gap-2">
            <Copy text={created.key} what="the key" />
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <NewKeyForm creating={creating} onClose={onClose} />
      )}
    </ModalDialog>
  )
}

function NewKeyForm({ creating, onClose }: { creating: ReturnType<typeof useCreateKey>; onClose: () => void }) {
  const [name, setName] = useState('')
  const [role, setRole] = useState<Role>('viewer')
  const [days, setDays] = useState('90')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const expires_at = days === '' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString()
    creating.mutate({ name: name.trim(), role, expires_at })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Labelled label="Owner or purpose">
        <TextInput required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      </Labelled>
      <Labelled label="Role">
        <Select label="Role" value={role} options={ROLES} onChange={(chosen) => setRole(chosen as Role)} />
      </Labelled>
      <Labelled label="Expires">
        <Select label="Expires" value={days} options={LIFETIMES} onChange={setDays} />
      </Labelled>
      {creating.isError && (
        <p role="alert" className="foreign text-flagged text-sm">
          No key was created. {creating.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={creating.isPending || name.trim() === ''}>
          Create key
        </Button>
      </div>
    </form>
  )
}

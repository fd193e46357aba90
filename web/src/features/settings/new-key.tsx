// A new key: asked for, then shown once. It lives in this box and goes with it.
import { type FormEvent, useState } from 'react'
import type { Role } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { Copy } from '@/components/ui/copy.tsx'
import { Box } from '@/components/ui/dialog.tsx'
import { Labelled, Select, TextInput } from '@/components/ui/field.tsx'
import { useCreateKey } from './queries.ts'

const ROLES: [Role, string][] = [
  ['viewer', 'viewer: may look'],
  ['investigator', 'investigator: works on cases'],
  ['reviewer', 'reviewer: decides about reports'],
  ['admin', 'admin: may do everything'],
  ['agent', 'agent: a program that sends work in'],
]

const DAY_MS = 86_400_000
const LASTING: [days: string, shown: string][] = [
  ['', 'until it is revoked'],
  ['1', 'a day'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
]

export function NewKeyBox({ onClose }: { onClose: () => void }) {
  const creating = useCreateKey()
  const made = creating.data
  return (
    <Box open onClose={onClose} title={made ? 'The new key' : 'New key'}>
      {made ? (
        <div className="flex flex-col items-start gap-3 text-sm">
          <p className="foreign">
            The key of {made.name} ({made.role}). Copy it now: it is shown this once, and the server keeps only its
            hash.
          </p>
          <code className="foreign w-full rounded-md border border-line bg-sunken px-3 py-2 font-mono text-xs">
            {made.key}
          </code>
          <div className="flex w-full justify-end gap-2">
            <Copy text={made.key} what="the key" />
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          </div>
        </div>
      ) : (
        <KeyAsked creating={creating} onClose={onClose} />
      )}
    </Box>
  )
}

function KeyAsked({ creating, onClose }: { creating: ReturnType<typeof useCreateKey>; onClose: () => void }) {
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
      <Labelled label="Whose it is, or what for">
        <TextInput required maxLength={128} value={name} onChange={({ target }) => setName(target.value)} />
      </Labelled>
      <Labelled label="Role">
        <Select label="Role" value={role} options={ROLES} onChange={(chosen) => setRole(chosen as Role)} />
      </Labelled>
      <Labelled label="Lasts">
        <Select label="Lasts" value={days} options={LASTING} onChange={setDays} />
      </Labelled>
      {creating.isError && (
        <p role="alert" className="foreign text-flagged text-sm">
          No key was made. {creating.error.message}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" look="primary" disabled={creating.isPending || name.trim() === ''}>
          Make the key
        </Button>
      </div>
    </form>
  )
}

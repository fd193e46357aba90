// The sign-in form: one field for an access key, and the reason when the server refuses it.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { Problem } from '@/api/problem.ts'
import { signIn } from '@/api/session.ts'
import { Button } from '@/components/ui/button.tsx'
import { TextInput } from '@/components/ui/field.tsx'

export function KeyForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const id = useId()
  const [key, setKey] = useState('')
  const queries = useQueryClient()
  const signing = useMutation({ mutationFn: (typed: string) => signIn(queries, typed), onSuccess: () => setKey('') })
  const [isEmpty, setEmpty] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = key.trim()
    setEmpty(typed === '')
    if (typed !== '') signing.mutate(typed)
  }
  const refusal = isEmpty ? 'Enter a key.' : signing.error && explainRefusal(signing.error)
  return (
    <form onSubmit={submit} className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-muted text-sm">
        Key
      </label>
      <div className="flex gap-2">
        <TextInput
          id={id}
          type="password"
          name="key"
          value={key}
          onChange={(event) => setKey(event.target.value)}
          placeholder="cs_…"
          autoComplete="current-password"
          spellCheck={false}
          autoFocus={autoFocus}
          aria-invalid={refusal ? true : undefined}
          aria-describedby={`${id}-refusal`}
          className="flex-1"
        />
        <Button type="submit" look="primary" icon="key" disabled={signing.isPending}>
          {signing.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </div>
      <p id={`${id}-refusal`} role="alert" className="foreign min-h-5 text-flagged text-sm">
        {refusal}
      </p>
    </form>
  )
}

function explainRefusal(problem: Error): string {
  if (!(problem instanceof Problem)) return 'The server’s response could not be read. Reload the page and try again.'
  if (problem.status === 401) return 'This key is unknown, expired or revoked.'
  if (problem.status === 403) {
    return `The server does not accept sign-ins from this address. Start it with FRONTEND_URL=${location.origin}; separate several addresses with commas.`
  }
  if (problem.status === 429) return `Too many failed attempts. Try again ${inWords(problem.retryAfterS)}.`
  if (problem.kind === 'network') return 'The server can’t be reached. Check that it is running, then try again.'
  return `${problem.message.replace(/\.$/, '')}.`
}

function inWords(seconds: number | null): string {
  if (seconds === null) return 'in a minute'
  return seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`
}

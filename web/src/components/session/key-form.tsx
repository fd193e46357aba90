// One field for a key, and what is said when it doesn't open the door.
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
  const [hasNothing, setHasNothing] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const typed = key.trim()
    setHasNothing(typed === '')
    if (typed !== '') signing.mutate(typed)
  }
  const refusal = hasNothing ? 'Enter a key.' : signing.error && whyNot(signing.error)
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
          {signing.isPending ? 'Signing in' : 'Sign in'}
        </Button>
      </div>
      <p id={`${id}-refusal`} role="alert" className="foreign min-h-5 text-flagged text-sm">
        {refusal}
      </p>
    </form>
  )
}

function whyNot(problem: Error): string {
  if (!(problem instanceof Problem)) return 'The answer could not be read. Reload the page and try again.'
  if (problem.status === 401) return 'The key is not known, has expired or was revoked.'
  if (problem.status === 403) {
    return `The server was not told of this address, so nobody can sign in here. Start it with FRONTEND_URL=${location.origin}; several are named with commas between.`
  }
  if (problem.status === 429) return `Too many attempts have failed. Try again ${inWords(problem.retryAfterS)}.`
  if (problem.kind === 'network') return 'The server can’t be reached. Check that it runs, then try again.'
  return `${problem.message.replace(/\.$/, '')}.`
}

function inWords(seconds: number | null): string {
  if (seconds === null) return 'in a minute'
  return seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`
}

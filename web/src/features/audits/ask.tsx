// A question to the worker, to see what becomes of it: the answer is audited like every other and comes in below.
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { api, type Schemas, take } from '@/api/client.ts'
import { Problem } from '@/api/problem.ts'
import { useSession } from '@/api/session.ts'
import { Simulated, StatusBadge } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { TextInput } from '@/components/ui/field.tsx'
import { Icon } from '@/components/ui/icon.tsx'

interface Props {
  /** Told of each answer, so that its row is there even where the live connection is not. */
  onAnswer: (logId: string) => void
  onOpen: (logId: string) => void
}

export function Ask({ onAnswer, onOpen }: Props) {
  const { is_simulated } = useSession()
  const [query, setQuery] = useState('')
  const [isBlank, setBlank] = useState(false)
  const messages = useId()
  const ask = useMutation({
    mutationFn: (user_query: string) => take(api.POST('/process-agent', { body: { user_query } })),
    onSuccess: ({ log_id }) => {
      setQuery('')
      onAnswer(log_id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const isEmpty = query.trim() === ''
    setBlank(isEmpty)
    if (isEmpty || ask.isPending) return
    ask.mutate(query)
  }
  return (
    <form onSubmit={submit} noValidate aria-label="Ask the worker" className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          aria-label="Question for the worker"
          aria-describedby={messages}
          aria-invalid={isBlank}
          placeholder="Ask the worker something…"
          autoComplete="off"
          value={query}
          onChange={(event) => {
            setQuery(event.target.value)
            setBlank(false)
          }}
          className="h-9 flex-1 basis-60"
        />
        <Button type="submit" look="primary" icon="send" disabled={ask.isPending} className="h-9 min-w-24">
          {ask.isPending ? 'Waiting…' : 'Send'}
        </Button>
        {is_simulated && <Simulated />}
      </div>
      {/* Has its room from the beginning, so that nothing below it moves when it speaks. */}
      <div id={messages} className="min-h-5 text-sm">
        {ask.isPending && <Waiting />}
        {isBlank && !ask.isPending && <Trouble message="Please enter a query" />}
        {!isBlank && ask.isError && <Trouble message={Problem.fromFailure(ask.error).message} />}
        {!isBlank && ask.isSuccess && <Verdict {...verdictOf(ask.data)} onOpen={onOpen} />}
      </div>
    </form>
  )
}

function Waiting() {
  return (
    <p role="status" className="flex items-center gap-2 text-muted">
      <span aria-hidden="true" className="skeleton inline-block size-3 rounded-full bg-line-strong" />
      The worker is answering; its answer will be audited.
    </p>
  )
}

function Trouble({ message }: { message: string }) {
  return (
    <p role="alert" className="flex items-start gap-1.5 text-flagged">
      <Icon name="warning" className="mt-0.5" />
      <span className="foreign">{message}</span>
    </p>
  )
}

interface Answered {
  logId: string
  status: string
  risk: number
  details: string
}

function verdictOf({ log_id, status, audit }: Schemas['Answered']): Answered {
  return { logId: log_id, status, risk: audit.risk_score, details: audit.details }
}

function Verdict({ logId, status, risk, details, onOpen }: Answered & { onOpen: (logId: string) => void }) {
  return (
    <p role="status" className="flex min-w-0 items-center gap-2">
      <StatusBadge status={status} />
      <span className="whitespace-nowrap">{risk} of 10</span>
      <span className="foreign-line min-w-0 flex-1 text-muted">{details}</span>
      <a
        href={`/?log=${encodeURIComponent(logId)}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(logId)
        }}
        className="whitespace-nowrap text-accent underline underline-offset-2"
      >
        See the audit
      </a>
    </p>
  )
}

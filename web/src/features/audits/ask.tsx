// The box for asking the model a question. Its answer is audited like every other and appears in the list below.
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
  /** Called with each answer, so that its row appears even without a live connection. */
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
    <form onSubmit={submit} noValidate aria-label="Ask the model" className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-2">
        <TextInput
          aria-label="Question for the model"
          aria-describedby={messages}
          aria-invalid={isBlank}
          placeholder="Ask the model something…"
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
      {/* Its height is reserved, so that nothing below it moves when a message appears. */}
      <div id={messages} className="min-h-5 text-sm">
        {ask.isPending && <PendingAnswer />}
        {isBlank && !ask.isPending && <ErrorMessage message="Please enter a query" />}
        {!isBlank && ask.isError && <ErrorMessage message={Problem.fromFailure(ask.error).message} />}
        {!isBlank && ask.isSuccess && <AnswerVerdict {...verdictOf(ask.data)} onOpen={onOpen} />}
      </div>
    </form>
  )
}

function PendingAnswer() {
  return (
    <p role="status" className="flex items-center gap-2 text-muted">
      <span aria-hidden="true" className="skeleton inline-block size-3 rounded-full bg-line-strong" />
      The model is answering. Its answer will be audited.
    </p>
  )
}

function ErrorMessage({ message }: { message: string }) {
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

function AnswerVerdict({ logId, status, risk, details, onOpen }: Answered & { onOpen: (logId: string) => void }) {
  return (
    <p role="status" className="flex min-w-0 items-center gap-2">
      <StatusBadge status={status} />
      <span className="whitespace-nowrap">Risk {risk} of 10</span>
      <span className="foreign-line min-w-0 flex-1 text-muted">{details}</span>
      <a
        href={`/?log=${encodeURIComponent(logId)}`}
        onClick={(event) => {
          event.preventDefault()
          onOpen(logId)
        }}
        className="whitespace-nowrap text-accent underline underline-offset-2"
      >
        View audit
      </a>
    </p>
  )
}

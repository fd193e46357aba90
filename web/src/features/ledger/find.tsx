// One search field for a position in the log, an event id, or a correlation id.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Problem } from '@/api/problem.ts'
import { Button } from '@/components/ui/button.tsx'
import { TextInput } from '@/components/ui/field.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { isUuid } from './filter.ts'
import { eventQuery, leafQuery } from './queries.ts'

export function Find({ onCorrelation }: { onCorrelation: (id: string) => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [, go] = useLocation()
  const finding = useFinding()
  useShortcut('/', 'Search', () => field.current?.focus())
  const submit = (event: FormEvent) => {
    event.preventDefault()
    finding.mutate(typed.trim(), {
      onSuccess: (found) => ('event' in found ? go(`/ledger/${found.event}`) : onCorrelation(found.correlation)),
    })
  }
  return (
    <form onSubmit={submit} aria-label="Find an event" className="flex w-full min-w-0 flex-col gap-1 md:w-auto">
      <div className="flex gap-2">
        <TextInput
          ref={field}
          type="search"
          aria-label="Sequence number, event id or correlation id"
          placeholder="Sequence number or id"
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="w-full md:w-80"
        />
        <Button type="submit" icon="search" disabled={finding.isPending}>
          Find
        </Button>
      </div>
      {finding.isError && (
        <p role="alert" className="foreign text-flagged text-sm">
          {finding.error.message}
        </p>
      )}
    </form>
  )
}

type SearchResult = { event: string } | { correlation: string }

function useFinding() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: async (typed: string): Promise<SearchResult> => {
      if (/^[\d,]{1,16}$/.test(typed)) {
        const { header } = await queries.fetchQuery(leafQuery(Number(typed.replaceAll(',', ''))))
        return { event: (JSON.parse(header) as { event_id: string }).event_id }
      }
      if (!isUuid(typed)) {
        throw new Problem('refused', null, 'Enter a sequence number such as 1024, or an event or correlation id.')
      }
      const isEvent = await queries.fetchQuery(eventQuery(typed)).then(
        () => true,
        (problem: Error) => {
          if (problem instanceof Problem && problem.status === 404) return false
          throw problem
        },
      )
      return isEvent ? { event: typed } : { correlation: typed }
    },
  })
}

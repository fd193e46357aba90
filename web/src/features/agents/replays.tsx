// The outcome of replays that were started from this page.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { eventName } from '@/ledger/event-names.ts'
import { type DeadLetter, useReplay, watchedQuery } from './queries.ts'

interface Replay {
  letter: DeadLetter
  refusal?: string
}

export function useReplays() {
  const [requested, setRequested] = useState<Replay[]>([])
  const replaying = useReplay()
  const isAnyOpen = (current: DeadLetter[]) =>
    requested.some(({ letter, refusal }) => refusal === undefined && outcome(letter, current) === null)
  const watched = useQuery({ ...watchedQuery(isAnyOpen), enabled: requested.length > 0 })
  const replay = (letter: DeadLetter) => {
    const others = (all: Replay[]) => all.filter((other) => other.letter.id !== letter.id)
    setRequested((all) => [...others(all), { letter }])
    replaying.mutate(letter, {
      onError: ({ message }) => setRequested((all) => [...others(all), { letter, refusal: message }]),
    })
  }
  return { requested, current: watched.data ?? [], replay }
}

export function Replays({ replays: { requested, current } }: { replays: ReturnType<typeof useReplays> }) {
  return (
    <div role="status" aria-label="Replays">
      {requested.map(({ letter, refusal }) => (
        <p key={letter.id} className="foreign border-line border-b px-4 py-2 text-sm">
          <span className="font-medium">{eventName(letter.event_type)}</span> for {letter.agent}:{' '}
          {refusal ?? outcome(letter, current) ?? 'Replay in progress…'}
        </p>
      ))}
    </div>
  )
}

/** `null` while the replay is in progress. A dead letter that fails again keeps its id, and its attempt count grows. */
function outcome(before: DeadLetter, current: DeadLetter[]): string | null {
  const after = current.find(({ id }) => id === before.id)
  if (after?.state === 'replayed') return 'Replayed successfully.'
  if (after?.state === 'dead' && after.attempts > before.attempts) {
    const more = after.attempts - before.attempts
    return `Failed again after ${more} more ${more === 1 ? 'attempt' : 'attempts'}. ${after.error}`
  }
  return null
}

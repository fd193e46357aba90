// Dead letters: events that an agent gave up on, with their errors and a button to replay them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { useHasRole } from '@/api/session.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Select } from '@/components/ui/field.tsx'
import type { IconName } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { When } from '@/components/ui/value.tsx'
import { eventName } from '@/ledger/event-names.ts'
import { useLiveInvalidation } from '@/live/live.tsx'
import { type DeadLetter, LETTERS, lettersQuery } from './queries.ts'
import { Replays, useReplays } from './replays.tsx'

const STATES: [value: string, shown: string][] = [
  ['dead', 'Failed'],
  ['replaying', 'Replaying'],
  ['replayed', 'Replayed'],
  ['all', 'All'],
]

export function DeadLetters() {
  const [state, setState] = useStateFilter()
  const letters = useInfiniteQuery(lettersQuery(state === 'all' ? null : state))
  const replays = useReplays()
  useLiveInvalidation(['agent'], LETTERS)
  const items = letters.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel
      title="Dead letters"
      aside={<Select label="State of dead letters" value={state} options={STATES} onChange={setState} />}
    >
      <Replays replays={replays} />
      {letters.isPending && <Loading rows={3} label="Loading dead letters" />}
      {letters.isError && (
        <Failed what="The dead letters" problem={letters.error} retry={() => void letters.refetch()} />
      )}
      {letters.isSuccess && items.length === 0 && <NoDeadLetters state={state} />}
      {items.length > 0 && (
        <ul className="divide-y divide-line">
          {items.map((letter) => (
            <DeadLetterItem key={letter.id} letter={letter} replay={replays.replay} />
          ))}
        </ul>
      )}
      {letters.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button disabled={letters.isFetchingNextPage} onClick={() => void letters.fetchNextPage()}>
            Load older
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** The state filter is part of the address. An invalid value falls back to failed letters, which need attention. */
function useStateFilter(): [state: string, setState: (state: string) => void] {
  const [search, setSearch] = useSearchParams()
  const requested = search.get('letters')
  const state = STATES.find(([value]) => value === requested)?.[0] ?? 'dead'
  return [state, (next) => setSearch({ letters: next }, { replace: true })]
}

function NoDeadLetters({ state }: { state: string }) {
  if (state !== 'dead') return <Empty title="No dead letters in this state">Choose another state to see others.</Empty>
  return (
    <Empty title="No dead letters">
      An event that an agent could not handle after several attempts appears here with its error. Fix the cause, then
      replay the event. No event is dropped.
    </Empty>
  )
}

const LOOKS: Record<string, [tone: Tone, word: string, icon: IconName]> = {
  dead: ['flagged', 'Failed', 'flag'],
  replaying: ['warning', 'Replaying', 'refresh'],
  replayed: ['safe', 'Replayed', 'check'],
}

function DeadLetterItem({ letter, replay }: { letter: DeadLetter; replay: (letter: DeadLetter) => void }) {
  const mayReplay = useHasRole('admin')
  const [tone, word, icon] = LOOKS[letter.state] ?? ['neutral', letter.state, 'dot']
  return (
    <li className="grid grid-cols-1 gap-x-4 gap-y-1.5 px-4 py-3 sm:grid-cols-[8.5rem_minmax(0,1fr)_auto] sm:items-start">
      <span>
        <Badge tone={tone} icon={icon}>
          {word}
        </Badge>
      </span>
      <div className="flex min-w-0 flex-col gap-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Link href={`/ledger/${letter.event_id}`} className="foreign text-accent underline underline-offset-2">
            {eventName(letter.event_type)}
          </Link>
          <span className="foreign text-muted text-sm">for {letter.agent}</span>
        </p>
        <p className="foreign line-clamp-4 text-sm">{letter.error}</p>
        <p className="text-muted text-xs">
          <When at={letter.dead_lettered_at} /> · {letter.attempts} {letter.attempts === 1 ? 'attempt' : 'attempts'}
        </p>
      </div>
      {mayReplay && letter.state === 'dead' && (
        <Button
          icon="refresh"
          aria-label={`Replay “${eventName(letter.event_type)}” for ${letter.agent}`}
          onClick={() => replay(letter)}
          className="justify-self-start"
        >
          Replay
        </Button>
      )}
    </li>
  )
}

// Events that an agent gave up on: why, and having them handled again.
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import { useMay } from '@/api/session.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Select } from '@/components/ui/field.tsx'
import type { IconName } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { When } from '@/components/ui/value.tsx'
import { useLiveInvalidation } from '@/live/live.tsx'
import { type DeadLetter, LETTERS, lettersQuery } from './queries.ts'
import { Replays, useReplays } from './replays.tsx'

const STATES: [value: string, shown: string][] = [
  ['dead', 'Stuck'],
  ['replaying', 'Being replayed'],
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
      aside={<Select label="Which dead letters" value={state} options={STATES} onChange={setState} />}
    >
      <Replays replays={replays} />
      {letters.isPending && <Loading rows={3} label="Loading dead letters" />}
      {letters.isError && <Failed what="Dead letters" problem={letters.error} retry={() => void letters.refetch()} />}
      {letters.isSuccess && items.length === 0 && <Nothing state={state} />}
      {items.length > 0 && (
        <ul className="divide-y divide-line">
          {items.map((letter) => (
            <Letter key={letter.id} letter={letter} replay={replays.replay} />
          ))}
        </ul>
      )}
      {letters.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button disabled={letters.isFetchingNextPage} onClick={() => void letters.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </Panel>
  )
}

/** In the address, so that it can be sent to somebody. What can't be meant is what needs somebody: those that are stuck. */
function useStateFilter(): [state: string, setState: (state: string) => void] {
  const [search, setSearch] = useSearchParams()
  const asked = search.get('letters')
  const state = STATES.some(([value]) => value === asked) && asked !== null ? asked : 'dead'
  return [state, (next) => setSearch({ letters: next }, { replace: true })]
}

function Nothing({ state }: { state: string }) {
  if (state !== 'dead') return <Empty title="There are none">Choose another state to see the others.</Empty>
  return (
    <Empty title="Nothing is stuck">
      An event that an agent can’t handle after several attempts appears here with its error, and can be replayed once
      the cause is mended. Nothing is dropped.
    </Empty>
  )
}

const LOOKS: Record<string, [tone: Tone, word: string, icon: IconName]> = {
  dead: ['flagged', 'stuck', 'flag'],
  replaying: ['warning', 'being replayed', 'refresh'],
  replayed: ['safe', 'replayed', 'check'],
}

function Letter({ letter, replay }: { letter: DeadLetter; replay: (letter: DeadLetter) => void }) {
  const mayReplay = useMay('admin')
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
            {letter.event_type}
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
          aria-label={`Replay ${letter.event_type} for ${letter.agent}`}
          onClick={() => replay(letter)}
          className="justify-self-start"
        >
          Replay
        </Button>
      )}
    </li>
  )
}

// One agent as a strip: its state, its job, its figures and the pause button.
import { type ReactNode, useState } from 'react'
import { useHasRole } from '@/api/session.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import type { IconName } from '@/components/ui/icon.tsx'
import { age, number } from '@/components/ui/value.tsx'
import { duty } from './duties.ts'
import { PauseDialog } from './pause.tsx'
import { type AgentStatus, useSetPaused } from './queries.ts'
import { Sparkline } from './sparkline.tsx'

/** An agent that has sent no heartbeat for this long is shown as not responding. */
const STALE_MS = 90_000

const WORDS: Record<AgentStatus['state'], string> = {
  INIT: 'Starting',
  LISTEN: 'Reading events',
  ANALYZE: 'Deciding',
  EMIT: 'Committing',
  IDLE: 'Idle',
}

/** `nowMs` is an estimate of the server's time. */
export function AgentStrip({ agent, nowMs }: { agent: AgentStatus; nowMs: number }) {
  const silentMs = nowMs - Date.parse(agent.heartbeat_at)
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-3 px-4 py-3 md:grid-cols-[minmax(0,1fr)_auto] min-[1360px]:grid-cols-[minmax(0,1fr)_auto_auto] min-[1360px]:items-center">
      <div className="flex min-w-0 flex-col gap-1">
        <h2 className="flex flex-wrap items-center gap-2 font-medium">
          <span className="foreign-line max-w-60">{agent.name}</span>
          <State agent={agent} isStale={silentMs > STALE_MS} />
        </h2>
        <p className="text-muted text-sm">{duty(agent.name).does}</p>
        {silentMs > STALE_MS && (
          <p className="text-sm text-warning">
            No heartbeat for {age(0, silentMs)}. The agent may be stuck or stopped. Check the server’s log or restart
            the server; the agent continues where it left off.
          </p>
        )}
        {agent.last_error && (
          <p className="foreign line-clamp-2 text-sm" title={agent.last_error}>
            <span className="text-flagged">Last error: </span>
            {agent.last_error}
          </p>
        )}
      </div>
      <Numbers agent={agent} silentMs={silentMs} />
      <div className="flex items-center justify-between gap-4 md:justify-end">
        <div className="w-[180px] min-w-0">
          <Sparkline history={agent.history} />
        </div>
        <Switch agent={agent} />
      </div>
    </li>
  )
}

function State({ agent, isStale }: { agent: AgentStatus; isStale: boolean }) {
  const [tone, words, icon]: [Tone, string, IconName] = isStale
    ? ['warning', 'Not responding', 'warning']
    : agent.paused
      ? ['neutral', 'Paused', 'pause']
      : ['safe', WORDS[agent.state] ?? agent.state, 'check']
  return (
    <Badge tone={tone} icon={icon}>
      {words}
    </Badge>
  )
}

function Numbers({ agent, silentMs }: { agent: AgentStatus; silentMs: number }) {
  return (
    <dl className="grid grid-cols-4 gap-x-4 gap-y-2 text-sm sm:grid-cols-7 md:col-span-2 md:row-start-2 min-[1360px]:col-span-1 min-[1360px]:row-start-1">
      <Figure name="Heartbeat" value={`${age(0, silentMs)} ago`} />
      <Figure name="Per minute" value={perMinute(agent.rate_per_minute)} />
      <Figure name="Lag" value={number(agent.lag)} what="Events it has not handled yet" />
      <Figure name="In flight" value={number(agent.in_flight)} what="Events it is handling now" />
      <Figure name="Processed" value={number(agent.processed)} what="Since the server started" />
      <Figure
        name="Errors"
        value={number(agent.failed)}
        what="Failed attempts. An event is retried before it becomes a dead letter"
        tone={agent.failed > 0 ? 'text-warning' : ''}
      />
      <Figure
        name="Dead letters"
        value={number(agent.dead_lettered)}
        what="Events it gave up on since the server started"
        tone={agent.dead_lettered > 0 ? 'text-flagged' : ''}
      />
    </dl>
  )
}

function perMinute(rate: number): string {
  return rate > 0 && rate < 10 ? rate.toFixed(1) : number(Math.round(rate))
}

function Figure({ name, value, what, tone = '' }: { name: string; value: ReactNode; what?: string; tone?: string }) {
  return (
    <div title={what} className="min-w-[4.75rem]">
      <dt className="whitespace-nowrap text-muted text-xs">{name}</dt>
      <dd className={`whitespace-nowrap ${tone}`}>{value}</dd>
    </div>
  )
}

function Switch({ agent }: { agent: AgentStatus }) {
  const mayPause = useHasRole('admin')
  const [isAsking, setAsking] = useState(false)
  const switching = useSetPaused(agent.name)
  if (!mayPause) return null
  if (agent.paused) {
    return (
      <Button
        icon="play"
        aria-label={`Resume ${agent.name}`}
        disabled={switching.isPending}
        onClick={() => switching.mutate(false)}
        className="w-24"
      >
        Resume
      </Button>
    )
  }
  return (
    <>
      <Button icon="pause" aria-label={`Pause ${agent.name}`} onClick={() => setAsking(true)} className="w-24">
        Pause
      </Button>
      <PauseDialog name={agent.name} switching={switching} open={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

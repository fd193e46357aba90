// The agents page: the state and figures of each agent, and the dead letters.
import { useQuery } from '@tanstack/react-query'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { useNow } from '@/components/ui/value.tsx'
import { useLiveInvalidation } from '@/live/live.tsx'
import { DeadLetters } from './dead-letters.tsx'
import { agentsQuery } from './queries.ts'
import { AgentStrip } from './strip.tsx'

export default function AgentsPage() {
  return (
    <div className="flex flex-col gap-4">
      <h1 className="font-medium text-xl">Agents</h1>
      <Agents />
      <DeadLetters />
    </div>
  )
}

function Agents() {
  const seen = useQuery(agentsQuery)
  useLiveInvalidation(['agent'], agentsQuery.queryKey)
  const now = useNow(1_000)
  if (seen.data === undefined) {
    return (
      <Panel label="Agents">
        {seen.isError ? (
          <Failed what="The agents" problem={seen.error} retry={() => void seen.refetch()} />
        ) : (
          <Loading rows={5} label="Loading the agents" />
        )}
      </Panel>
    )
  }
  const { agents, answeredAtMs } = seen.data
  return (
    <Panel label="Agents">
      {seen.isError && <Failed what="The agents’ latest state" problem={seen.error} />}
      {agents.length === 0 && <Empty title="No agents run here">This server only accepts requests.</Empty>}
      <ul className="divide-y divide-line">
        {agents.map((agent) => (
          <AgentStrip key={agent.name} agent={agent} nowMs={answeredAtMs + Math.max(0, now - seen.dataUpdatedAt)} />
        ))}
      </ul>
    </Panel>
  )
}

// The state of the live connection as a dot and a word, and a button to reconnect after repeated failures.
import { Button } from '@/components/ui/button.tsx'
import { useNow } from '@/components/ui/value.tsx'
import { useConnection } from '@/live/live.tsx'

/** After this many failures in a row a button appears. The page keeps retrying by itself as well. */
const FAILURES_UNTIL_BUTTON = 3

export function ConnectionIndicator() {
  const connection = useConnection()
  const isLive = connection.state === 'connected'
  return (
    <div className="flex items-center gap-2">
      <span role="status" data-connection={connection.state} className="flex items-center gap-1.5 whitespace-nowrap">
        <span
          aria-hidden="true"
          className={`size-2 rounded-full ${isLive ? 'bg-safe' : 'border border-flagged bg-transparent'}`}
        />
        {isLive && 'Connected'}
        {connection.state === 'connecting' && (connection.failures > 0 ? 'Reconnecting…' : 'Connecting…')}
        {connection.state === 'refused' && 'Signed out'}
        {connection.state === 'disconnected' && <RetryCountdown retryAt={connection.retryAt} />}
      </span>
      {connection.failures >= FAILURES_UNTIL_BUTTON && (
        <Button icon="refresh" onClick={connection.reconnect}>
          Reconnect
        </Button>
      )}
    </div>
  )
}

function RetryCountdown({ retryAt }: { retryAt: number }) {
  const seconds = Math.max(0, Math.ceil((retryAt - useNow(1_000)) / 1_000))
  return (
    <>
      Disconnected
      <span aria-hidden="true" className="text-muted">
        · Retrying in {seconds} s
      </span>
    </>
  )
}

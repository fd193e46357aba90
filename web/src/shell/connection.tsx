// Whether the page is live, in a word and a sign; and the button that mends it when it can't mend itself.
import { Button } from '@/components/ui/button.tsx'
import { useNow } from '@/components/ui/value.tsx'
import { useConnection } from '@/live/live.tsx'

/** After so many failures in a row people get a button; the page goes on trying by itself. */
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
        {isLive && 'connected'}
        {connection.state === 'connecting' && (connection.failures > 0 ? 'reconnecting' : 'connecting')}
        {connection.state === 'refused' && 'signed out'}
        {connection.state === 'disconnected' && <Waiting retryAt={connection.retryAt} />}
      </span>
      {connection.failures >= FAILURES_UNTIL_BUTTON && (
        <Button icon="refresh" onClick={connection.reconnect}>
          Reconnect
        </Button>
      )}
    </div>
  )
}

function Waiting({ retryAt }: { retryAt: number }) {
  const seconds = Math.max(0, Math.ceil((retryAt - useNow(1_000)) / 1_000))
  return (
    <>
      disconnected
      <span aria-hidden="true" className="text-muted">
        · again in {seconds} s
      </span>
    </>
  )
}

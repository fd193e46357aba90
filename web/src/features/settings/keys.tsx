// Access keys: who has one, and taking it back.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay, useSession } from '@/api/session.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { Box } from '@/components/ui/dialog.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, useNow, When } from '@/components/ui/value.tsx'
import { NewKeyBox } from './new-key.tsx'
import { type Key, keysQuery, useRevokeKey } from './queries.ts'

export function Keys() {
  if (useMay('admin')) return <AllKeys />
  return (
    <Panel title="Keys">
      <p className="px-4 py-3 text-muted text-sm">Only admins see, make and revoke keys.</p>
    </Panel>
  )
}

function AllKeys() {
  const keys = useInfiniteQuery(keysQuery)
  const [isMaking, setMaking] = useState(false)
  const items = keys.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel
      title="Keys"
      aside={
        <Button icon="key" onClick={() => setMaking(true)}>
          New key
        </Button>
      }
    >
      {keys.isPending && <Loading rows={3} label="Loading keys" />}
      {keys.isError && <Failed what="Keys" problem={keys.error} retry={() => void keys.refetch()} />}
      {keys.isSuccess && items.length === 0 && <NoKeys />}
      <ul className="divide-y divide-line">
        {items.map((key) => (
          <OneKey key={key.id} of={key} />
        ))}
      </ul>
      {keys.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button disabled={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
            Show more
          </Button>
        </div>
      )}
      {isMaking && <NewKeyBox onClose={() => setMaking(false)} />}
    </Panel>
  )
}

function NoKeys() {
  const { keys_required } = useSession()
  return (
    <Empty title="There are no keys">
      {keys_required
        ? 'Make one for each person and each program that sends work in.'
        : 'On this machine nobody needs one. Make keys to try roles and the four-eyes rule, or before the server listens on another address.'}
    </Empty>
  )
}

function OneKey({ of: key }: { of: Key }) {
  const [tone, word] = state(key, useNow(60_000))
  const [isAsking, setAsking] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5 text-sm">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="foreign min-w-0 font-medium">{key.name}</span>
          <span className="text-muted">{key.role}</span>
          <Badge tone={tone}>{word}</Badge>
        </p>
        <p className="text-muted text-xs">
          <code className="foreign font-mono">{key.id}</code> · made <When at={key.created_at} /> · <Until of={key} />
        </p>
      </div>
      {!key.revoked_at && (
        <Button aria-label={`Revoke the key of ${key.name}`} onClick={() => setAsking(true)}>
          Revoke
        </Button>
      )}
      <RevokeBox of={key} open={isAsking} onClose={() => setAsking(false)} />
    </li>
  )
}

function state({ revoked_at, expires_at }: Key, nowMs: number): [Tone, string] {
  if (revoked_at) return ['neutral', 'revoked']
  if (expires_at && Date.parse(expires_at) <= nowMs) return ['neutral', 'expired']
  return ['safe', 'valid']
}

function Until({ of: { revoked_at, expires_at } }: { of: Key }) {
  if (revoked_at) {
    return (
      <>
        revoked <When at={revoked_at} />
      </>
    )
  }
  if (!expires_at) return <>until it is revoked</>
  return (
    <>
      until <time dateTime={expires_at}>{fullTime(expires_at)}</time>
    </>
  )
}

function RevokeBox({ of: key, open, onClose }: { of: Key; open: boolean; onClose: () => void }) {
  const { name } = useSession()
  const revoking = useRevokeKey()
  return (
    <Box
      open={open}
      onClose={onClose}
      title="Revoke this key?"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="danger"
            disabled={revoking.isPending}
            onClick={() => revoking.mutate(key.id, { onSuccess: onClose })}
          >
            Revoke
          </Button>
        </>
      }
    >
      <p className="foreign text-sm">
        The key of <strong className="font-medium">{key.name}</strong> ({key.role}) stops working at once, and so do
        sessions that were opened with it. That can’t be undone; another key can be made.
      </p>
      {key.name === name && <p className="mt-2 text-sm text-warning">It may be the key that you are signed in with.</p>}
      {revoking.isError && (
        <p role="alert" className="foreign mt-3 text-flagged text-sm">
          It was not revoked. {revoking.error.message}
        </p>
      )}
    </Box>
  )
}

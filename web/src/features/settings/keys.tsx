// The list of access keys, with buttons to create and revoke them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useHasRole, useSession } from '@/api/session.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { Button } from '@/components/ui/button.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { fullTime, useNow, When } from '@/components/ui/value.tsx'
import { NewKeyDialog } from './new-key.tsx'
import { type Key, keysQuery, useRevokeKey } from './queries.ts'

export function Keys() {
  if (useHasRole('admin')) return <AllKeys />
  return (
    <Panel title="Access keys">
      <p className="px-4 py-3 text-muted text-sm">Only admins can view, create and revoke access keys.</p>
    </Panel>
  )
}

function AllKeys() {
  const keys = useInfiniteQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const items = keys.data?.pages.flatMap(({ items }) => items) ?? []
  return (
    <Panel
      title="Access keys"
      aside={
        <Button icon="key" onClick={() => setCreating(true)}>
          New key
        </Button>
      }
    >
      {keys.isPending && <Loading rows={3} label="Loading keys" />}
      {keys.isError && <Failed what="The access keys" problem={keys.error} retry={() => void keys.refetch()} />}
      {keys.isSuccess && items.length === 0 && <NoKeys />}
      <ul className="divide-y divide-line">
        {items.map((key) => (
          <OneKey key={key.id} item={key} />
        ))}
      </ul>
      {keys.hasNextPage && (
        <div className="border-line border-t p-3">
          <Button disabled={keys.isFetchingNextPage} onClick={() => void keys.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
    </Panel>
  )
}

function NoKeys() {
  const { keys_required } = useSession()
  return (
    <Empty title="No access keys">
      {keys_required
        ? 'Create one for each person, and one for each program that submits work.'
        : 'On this machine no key is needed. Create keys to try roles and four-eyes review, or before the server listens on another address.'}
    </Empty>
  )
}

function OneKey({ item: key }: { item: Key }) {
  const [tone, word] = state(key, useNow(60_000))
  const [isConfirming, setConfirming] = useState(false)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-2.5 text-sm">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
        <p className="flex min-w-0 flex-wrap items-center gap-2">
          <span className="foreign min-w-0 font-medium">{key.name}</span>
          <span className="text-muted">{key.role}</span>
          <Badge tone={tone}>{word}</Badge>
        </p>
        <p className="text-muted text-xs">
          <code className="foreign font-mono">{key.id}</code> · created <When at={key.created_at} /> ·{' '}
          <Validity item={key} />
        </p>
      </div>
      {!key.revoked_at && (
        <Button aria-label={`Revoke the key of ${key.name}`} onClick={() => setConfirming(true)}>
          Revoke
        </Button>
      )}
      <RevokeDialog item={key} open={isConfirming} onClose={() => setConfirming(false)} />
    </li>
  )
}

function state({ revoked_at, expires_at }: Key, nowMs: number): [Tone, string] {
  if (revoked_at) return ['neutral', 'Revoked']
  if (expires_at && Date.parse(expires_at) <= nowMs) return ['neutral', 'Expired']
  return ['safe', 'Valid']
}

function Validity({ item: { revoked_at, expires_at } }: { item: Key }) {
  if (revoked_at) {
    return (
      <>
        revoked <When at={revoked_at} />
      </>
    )
  }
  if (!expires_at) return <>never expires</>
  return (
    <>
      expires <time dateTime={expires_at}>{fullTime(expires_at)}</time>
    </>
  )
}

function RevokeDialog({ item: key, open, onClose }: { item: Key; open: boolean; onClose: () => void }) {
  const { name } = useSession()
  const revoking = useRevokeKey()
  return (
    <ModalDialog
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
        The key of <strong className="font-medium">{key.name}</strong> ({key.role}) stops working at once, and all
        sessions opened with it end. This can’t be undone.
      </p>
      {key.name === name && <p className="mt-2 text-sm text-warning">You may be signed in with this key.</p>}
      {revoking.isError && (
        <p role="alert" className="foreign mt-3 text-flagged text-sm">
          The key was not revoked. {revoking.error.message}
        </p>
      )}
    </ModalDialog>
  )
}

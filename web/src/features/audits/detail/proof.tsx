// Where the record stands in the signed log, proved in this browser.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { Facts } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Hash, number } from '@/components/ui/value.tsx'
import { type Proof, proveLeaf } from '@/ledger/prove.ts'
import type { AuditLog } from '../log.ts'

/** The next checkpoint is never far. */
const SIGNED_SOON_MS = 1_000

export function LedgerProof({ log }: { log: AuditLog }) {
  const { seq, event_id } = log
  if (typeof event_id !== 'string') return <p className="text-muted text-sm">Its place in the log is not known.</p>
  return (
    <div className="flex flex-col gap-3">
      <Checked log={log} eventId={event_id} />
      <Facts
        rows={[
          ['Leaf', number(seq)],
          [
            'Event',
            <Link key="event" href={`/ledger/${event_id}`} className="text-accent underline underline-offset-2">
              <Hash value={event_id} keep={13} />
            </Link>,
          ],
        ]}
      />
    </div>
  )
}

function Checked({ log, eventId }: { log: AuditLog; eventId: string }) {
  const proof = useQuery({
    queryKey: ['ledger', 'proof', log.seq, eventId],
    queryFn: ({ signal }) => proveLeaf(log.seq, eventId, signal),
    refetchInterval: ({ state }) => (state.data?.state === 'unsigned' ? SIGNED_SOON_MS : false),
  })
  if (proof.isPending) return <Loading rows={1} label="Checking the proof" />
  if (proof.isError) return <Failed what="The proof" problem={proof.error} retry={() => void proof.refetch()} />
  return <Outcome proof={proof.data} log={log} />
}

function Outcome({ proof, log }: { proof: Proof; log: AuditLog }) {
  if (proof.state === 'failed') return <NotProven leaf={proof.index} why={proof.why} />
  if (proof.state === 'unsigned') {
    return (
      <Line icon="clock" tone="text-muted">
        Leaf {number(proof.index)} is newer than the last checkpoint, which covers {number(proof.size)}. The next one
        will cover it.
      </Line>
    )
  }
  if (proof.body.state === 'proven' && !isShown(proof.body.payload, log)) {
    return <NotProven leaf={proof.index} why="what is shown here is not what was recorded" />
  }
  return (
    <Line icon="check" tone="text-safe">
      Leaf {number(proof.index)} is in the signed log of {number(proof.size)}.{' '}
      <span className="text-muted">
        Checked in this browser: leaf hash, path to the root, signature of {proof.origin}
        {proof.body.state === 'proven' && ', and that the text shown here is the text recorded'}.
      </span>
    </Line>
  )
}

function NotProven({ leaf, why }: { leaf: number; why: string }) {
  return (
    <Line icon="flag" tone="text-flagged">
      Leaf {number(leaf)} could not be proven: {why}. Do not rely on this record before whoever runs the server has
      looked into it.
    </Line>
  )
}

function Line({ icon, tone, children }: { icon: IconName; tone: string; children: ReactNode }) {
  return (
    <p role="status" data-proof={icon} className={`flex items-start gap-2 text-sm ${tone}`}>
      <Icon name={icon} className="mt-0.5" />
      <span>{children}</span>
    </p>
  )
}

/** Whether the recorded content is what the page shows of it. */
export function isShown(payload: unknown, log: AuditLog): boolean {
  const { query, response, status, audit } = (payload ?? {}) as Partial<AuditLog>
  const recorded = [query, response, status, audit]
  return JSON.stringify(recorded) === JSON.stringify([log.query, log.response, log.status, log.audit])
}

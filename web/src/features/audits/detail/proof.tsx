// The answer's position in the signed log, proved in this browser.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon, type IconName } from '@/components/ui/icon.tsx'
import { DefinitionList } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Hash, number } from '@/components/ui/value.tsx'
import { type Proof, proveLeaf } from '@/ledger/prove.ts'
import type { AuditLog } from '../log.ts'

/** Checkpoints follow within a second of an append. */
const UNSIGNED_REFETCH_MS = 1_000

export function LedgerProof({ log }: { log: AuditLog }) {
  const { seq, event_id } = log
  if (typeof event_id !== 'string') return <p className="text-muted text-sm">Its position in the log is unknown.</p>
  return (
    <div className="flex flex-col gap-3">
      <Checked log={log} eventId={event_id} />
      <DefinitionList
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
    refetchInterval: ({ state }) => (state.data?.state === 'unsigned' ? UNSIGNED_REFETCH_MS : false),
  })
  if (proof.isPending) return <Loading rows={1} label="Checking the proof" />
  if (proof.isError) return <Failed what="The proof" problem={proof.error} retry={() => void proof.refetch()} />
  return <ProofResult proof={proof.data} log={log} />
}

function ProofResult({ proof, log }: { proof: Proof; log: AuditLog }) {
  if (proof.state === 'failed') return <NotProven leaf={proof.index} why={proof.why} />
  if (proof.state === 'unsigned') {
    return (
      <ProofLine icon="clock" tone="text-muted">
        Leaf {number(proof.index)} is newer than the last checkpoint, which covers {number(proof.size)} leaves. The next
        one will cover it.
      </ProofLine>
    )
  }
  if (proof.body.state === 'proven' && !isShown(proof.body.payload, log)) {
    return <NotProven leaf={proof.index} why="the text shown here differs from the recorded text" />
  }
  return (
    <ProofLine icon="check" tone="text-safe">
      Leaf {number(proof.index)} is in the signed log of {number(proof.size)}.{' '}
      <span className="text-muted">
        Checked in this browser: leaf hash, path to the root, signature of {proof.origin}
        {proof.body.state === 'proven' && ', and that the text shown here is the text recorded'}.
      </span>
    </ProofLine>
  )
}

function NotProven({ leaf, why }: { leaf: number; why: string }) {
  return (
    <ProofLine icon="flag" tone="text-flagged">
      Leaf {number(leaf)} could not be proven: {why}. Do not rely on this record until the server’s operator has
      investigated.
    </ProofLine>
  )
}

function ProofLine({ icon, tone, children }: { icon: IconName; tone: string; children: ReactNode }) {
  return (
    <p role="status" data-proof={icon} className={`flex items-start gap-2 text-sm ${tone}`}>
      <Icon name={icon} className="mt-0.5" />
      <span>{children}</span>
    </p>
  )
}

/** Whether the page shows exactly what was recorded. */
export function isShown(payload: unknown, log: AuditLog): boolean {
  const { query, response, status, audit } = (payload ?? {}) as Partial<AuditLog>
  const recorded = [query, response, status, audit]
  return JSON.stringify(recorded) === JSON.stringify([log.query, log.response, log.status, log.audit])
}

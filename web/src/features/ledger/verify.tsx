// The panel "Verify in this browser": runs the check of the whole log and shows its progress, result and scope.
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '@/components/ui/button.tsx'
import { Icon } from '@/components/ui/icon.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { number } from '@/components/ui/value.tsx'
import { checkpointQuery } from '@/ledger/checkpoint.ts'
import { keyQuery, LEAVES_MAX, readLeaves } from './queries.ts'
import { type VerificationResult, verifyLog } from './verify-log.ts'

type Run =
  | { state: 'idle' }
  | { state: 'running'; checked: number; size: number; sinceMs: number }
  | { state: 'done'; verdict: VerificationResult; tookMs: number }
  | { state: 'cancelled'; checked: number }
  | { state: 'interrupted'; why: string }

export function Verify() {
  const { run, start, cancel } = useVerification()
  return (
    <Panel
      title="Verify in this browser"
      aside={
        run.state === 'running' ? (
          <Button icon="close" onClick={cancel}>
            Cancel
          </Button>
        ) : (
          <Button look="primary" icon="shield" onClick={start}>
            {run.state === 'idle' ? 'Verify the log' : 'Verify again'}
          </Button>
        )
      }
    >
      <div className="flex min-h-28 flex-col gap-3 px-4 py-3 text-sm">
        <Result run={run} />
        <Scope />
      </div>
    </Panel>
  )
}

function useVerification() {
  const queries = useQueryClient()
  const [run, setRun] = useState<Run>({ state: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const control = new AbortController()
    running.current = control
    const sinceMs = performance.now()
    let checked = 0
    setRun({ state: 'running', checked, size: 0, sinceMs })
    try {
      const verdict = await verifyLog(
        {
          note: () => queries.fetchQuery({ ...checkpointQuery, staleTime: 0 }),
          key: () => queries.fetchQuery(keyQuery),
          leaves: (from, limit) => readLeaves(from, limit, control.signal),
        },
        {
          pageLeaves: LEAVES_MAX,
          signal: control.signal,
          onProgress: (now, size) => {
            checked = now
            setRun({ state: 'running', checked, size, sinceMs })
          },
        },
      )
      setRun({ state: 'done', verdict, tookMs: performance.now() - sinceMs })
    } catch (problem) {
      if (control.signal.aborted) setRun({ state: 'cancelled', checked })
      else setRun({ state: 'interrupted', why: problem instanceof Error ? problem.message : String(problem) })
    }
  }
  return { run, start: () => void start(), cancel: () => running.current?.abort() }
}

function Result({ run }: { run: Run }) {
  switch (run.state) {
    case 'idle':
      return <p>Not checked yet. The check reads the whole log and can be cancelled.</p>
    case 'running':
      return <Running {...run} />
    case 'cancelled':
      return <p role="status">Cancelled after {number(run.checked)} leaves. There is no result.</p>
    case 'interrupted':
      return <p role="alert">The check could not be completed: {run.why}. There is no result.</p>
    case 'done':
      return <VerificationOutcome verdict={run.verdict} tookMs={run.tookMs} />
  }
}

function Running({ checked, size, sinceMs }: { checked: number; size: number; sinceMs: number }) {
  return (
    <div className="flex flex-col gap-1.5">
      <progress
        value={checked}
        max={Math.max(1, size)}
        aria-label="Leaves checked"
        className="h-2 w-full appearance-none overflow-hidden rounded-sm border-0 bg-sunken [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-accent"
      />
      <p className="text-muted">
        {number(checked)} of {number(size)} leaves, {rate(checked, performance.now() - sinceMs)}
      </p>
    </div>
  )
}

function VerificationOutcome({ verdict, tookMs }: { verdict: VerificationResult; tookMs: number }) {
  if (verdict.state === 'failed') {
    return (
      <ResultMessage tone="text-flagged" icon="flag" role="alert" title="The log does not verify">
        <span className="foreign">{sentence(verdict.why)}</span> Keep a copy of the data directory and run{' '}
        <code className="font-mono text-xs">countersign verify</code> on it to find the difference.
      </ResultMessage>
    )
  }
  const { size, origin } = verdict.checkpoint
  return (
    <ResultMessage tone="text-safe" icon="check" role="status" title={`All ${number(size)} leaves verify`}>
      Their headers produce the root that <span className="foreign">{origin}</span> signed, and none is missing. Checked
      here in {(tookMs / 1_000).toFixed(1)} s, {rate(size, tookMs)}.
    </ResultMessage>
  )
}

interface ResultMessageProps {
  tone: string
  icon: 'check' | 'flag'
  role: 'status' | 'alert'
  title: string
  children: ReactNode
}

function ResultMessage({ tone, icon, role, title, children }: ResultMessageProps) {
  return (
    <div role={role} className="flex flex-col gap-0.5">
      <p className={`flex items-center gap-1.5 font-medium ${tone}`}>
        <Icon name={icon} />
        {title}
      </p>
      <p>{children}</p>
    </div>
  )
}

function Scope() {
  return (
    <p className="mt-auto border-line border-t pt-2.5 text-muted text-xs">
      The check covers the signature, every event’s header, that none is missing, and the tree over all of them. It does
      not cover the content of events: headers hold only a commitment to it. Opening an event checks its content.{' '}
      <code className="font-mono">countersign verify</code> checks everything. The key and the checkpoint come from this
      server, so a log that was rewritten and signed again verifies here too. Only a record kept elsewhere, such as a
      witness’s, reveals that.
    </p>
  )
}

function rate(count: number, ms: number): string {
  return `${number(Math.round(count / Math.max(ms / 1_000, 0.001)))} per second`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

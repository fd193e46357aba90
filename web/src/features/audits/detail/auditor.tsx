// Who judged, by which prompt and with which settings: all it takes to ask again.
import type { ReactNode } from 'react'
import { Facts } from '@/components/ui/panel.tsx'
import { Hash } from '@/components/ui/value.tsx'
import type { Audit, Judge } from '../log.ts'

const BY: Record<Audit['auditor'], string> = {
  builtin: 'the built-in inspectors alone; no model was asked',
  model: 'the built-in inspectors and a model',
  failed: 'the built-in inspectors; the model that was asked gave no usable verdict',
}

export function Auditor({ audit }: { audit: Audit }) {
  const { auditor, judge } = audit
  return (
    <div className="flex flex-col gap-3">
      <Facts
        rows={[
          ['Judged by', BY[auditor]],
          ['Inspectors', audit.inspectors],
          ['Confidence', audit.confidence.toFixed(2)],
          ...(judge == null ? [] : judged(judge)),
        ]}
      />
      {judge?.raw_reply != null && (
        <details className="text-sm">
          <summary className="text-muted">Raw reply of the model</summary>
          <pre className="foreign mt-2 max-h-80 overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2 font-mono text-xs">
            {judge.raw_reply}
          </pre>
        </details>
      )}
    </div>
  )
}

function judged(judge: Judge): [string, ReactNode][] {
  return [
    ['Model', `${judge.provider}/${judge.model}`],
    ['Prompt', judge.template],
    ['Prompt hash', <Hash key="hash" value={judge.template_sha256} />],
    ['Temperature', judge.temperature],
    ['Most tokens', judge.max_tokens],
    ['Attempts', judge.attempts],
    ...(judge.repaired ? [['Reply', 'had to be repaired to be read'] as [string, ReactNode]] : []),
    ...(judge.error == null ? [] : [['Failed', judge.error] as [string, ReactNode]]),
  ]
}

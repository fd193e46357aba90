// Who judged, by which prompt and with which settings: all it takes to ask again.
import type { ReactNode } from 'react'
import { Facts } from '@/components/ui/panel.tsx'
import { Hash } from '@/components/ui/value.tsx'
import type { Audit, Judge } from '../log.ts'

const BY: Record<NonNullable<Audit['auditor']>, string> = {
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
          ['Judged by', auditor === undefined ? 'not known' : BY[auditor]],
          ['Inspectors', audit.inspectors ?? 'not known'],
          ['Confidence', audit.confidence === undefined ? 'not known' : audit.confidence.toFixed(2)],
          ...(judge === undefined ? [] : judged(judge)),
        ]}
      />
      {judge?.raw_reply !== undefined && (
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
    ['Prompt', judge.template ?? 'not known'],
    [
      'Prompt hash',
      judge.template_sha256 === undefined ? 'not known' : <Hash key="hash" value={judge.template_sha256} />,
    ],
    ['Temperature', judge.temperature ?? 'not known'],
    ['Most tokens', judge.max_tokens ?? 'not known'],
    ['Attempts', judge.attempts ?? 'not known'],
    ...(judge.repaired === true ? [['Reply', 'had to be repaired to be read'] as [string, ReactNode]] : []),
    ...(judge.error === undefined ? [] : [['Failed', judge.error] as [string, ReactNode]]),
  ]
}

// Who audited the answer, with which prompt and settings: everything needed to repeat the audit.
import type { ReactNode } from 'react'
import { DefinitionList } from '@/components/ui/panel.tsx'
import { Hash } from '@/components/ui/value.tsx'
import type { Audit, Judge } from '../log.ts'

const AUDITED_BY: Record<Audit['auditor'], string> = {
  builtin: 'Built-in inspectors only',
  model: 'Built-in inspectors and a model',
  failed: 'Built-in inspectors; the model gave no usable verdict',
}

export function Auditor({ audit }: { audit: Audit }) {
  const { auditor, judge } = audit
  return (
    <div className="flex flex-col gap-3">
      <DefinitionList
        rows={[
          ['Audited by', AUDITED_BY[auditor]],
          ['Inspector version', audit.inspectors],
          ['Confidence', audit.confidence.toFixed(2)],
          ...(judge == null ? [] : modelRows(judge)),
        ]}
      />
      {judge?.raw_reply != null && (
        <details className="text-sm">
          <summary className="text-muted">Raw model reply</summary>
          <pre className="foreign mt-2 max-h-80 overflow-y-auto rounded-md border border-line bg-canvas px-3 py-2 font-mono text-xs">
            {judge.raw_reply}
          </pre>
        </details>
      )}
    </div>
  )
}

function modelRows(judge: Judge): [string, ReactNode][] {
  return [
    ['Model', `${judge.provider}/${judge.model}`],
    ['Prompt', judge.template],
    ['Prompt hash', <Hash key="hash" value={judge.template_sha256} />],
    ['Temperature', judge.temperature],
    ['Max tokens', judge.max_tokens],
    ['Attempts', judge.attempts],
    ...(judge.repaired ? [['Reply', 'Requested twice: the first was not valid JSON'] as [string, ReactNode]] : []),
    ...(judge.error == null ? [] : [['Error', judge.error] as [string, ReactNode]]),
  ]
}

// The empty state of the live page: what will appear here, and three ways to produce it.
import type { ReactNode } from 'react'
import { useHasRole } from '@/api/session.ts'

export function FirstRun() {
  const mayAsk = useHasRole('investigator')
  return (
    <div className="mx-auto flex max-w-prose flex-col gap-4 px-4 py-8">
      <p className="font-medium text-lg">Nothing has been audited yet</p>
      <p className="text-muted">
        Every answer that passes through Countersign appears here as soon as it is audited, with its verdict, its risk
        from 0 to 10, and the words that caused it.
      </p>
      <ul className="flex flex-col gap-3">
        {mayAsk && (
          <Suggestion title="Ask something">
            Use the box above. Try a question that tells the model to ignore its instructions, and see what is marked.
          </Suggestion>
        )}
        <Suggestion title="Connect a program">
          Any OpenAI client works: set its base URL to <Code>{`${location.origin}/v1`}</Code>
        </Suggestion>
        <Suggestion title="Run the demo">
          Run <Code>countersign demo</Code> in another folder: it generates answers and transactions, all labelled as
          simulated.
        </Suggestion>
      </ul>
    </div>
  )
}

function Suggestion({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="rounded-md border border-line px-4 py-3">
      <p className="font-medium">{title}</p>
      <p className="text-muted text-sm">{children}</p>
    </li>
  )
}

function Code({ children }: { children: string }) {
  return (
    <code className="whitespace-nowrap rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-ink text-xs">{children}</code>
  )
}

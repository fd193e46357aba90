// What an empty system says of itself: what will be here, and three ways to make it so.
import type { ReactNode } from 'react'
import { useMay } from '@/api/session.ts'

export function FirstRun() {
  const mayAsk = useMay('investigator')
  return (
    <div className="mx-auto flex max-w-prose flex-col gap-4 px-4 py-8">
      <p className="font-medium text-lg">Nothing has been audited yet</p>
      <p className="text-muted">
        Every answer that passes through Countersign becomes a row here the moment it is audited: its verdict, its risk
        from 0 to 10, and the words that made it so.
      </p>
      <ul className="flex flex-col gap-3">
        {mayAsk && (
          <Way title="Ask something">
            Use the box above. Try a question that tells the worker to ignore its instructions, and see what is marked.
          </Way>
        )}
        <Way title="Point a program here">
          Any OpenAI client works: set its base URL to <Code>{`${location.origin}/v1`}</Code>
        </Way>
        <Way title="Look at the demo">
          Run <Code>countersign demo</Code> in another folder: it makes up a stream of answers and transactions, all
          labelled as simulated.
        </Way>
      </ul>
    </div>
  )
}

function Way({ title, children }: { title: string; children: ReactNode }) {
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

// Placeholders for content that is loading, empty or failed.
import type { ReactNode } from 'react'
import { Problem } from '@/api/problem.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

export function Loading({ rows = 6, label = 'Loading' }: { rows?: number; label?: string }) {
  return (
    <div role="status" aria-label={label} className="flex flex-col gap-2 p-3">
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move.
        <div key={row} className="skeleton h-6" />
      ))}
    </div>
  )
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-2 px-4 py-8 sm:items-center sm:text-center">
      <p className="font-medium">{title}</p>
      {children && <div className="max-w-prose text-muted text-sm">{children}</div>}
      {action}
    </div>
  )
}

/** Says what failed, what still works and what to do. */
export function Failed({ problem, what, retry }: { problem: unknown; what: string; retry?: () => void }) {
  const { message, advice } = explain(problem)
  return (
    <div role="alert" className="flex flex-col items-start gap-2 px-4 py-6">
      <p className="flex items-center gap-2 font-medium">
        <Icon name="warning" className="text-warning" />
        {what} could not be loaded
      </p>
      <p className="foreign max-w-prose text-muted text-sm">
        {message}. {advice}
      </p>
      {retry && (
        <Button icon="refresh" onClick={retry}>
          Try again
        </Button>
      )}
    </div>
  )
}

function explain(problem: unknown): { message: string; advice: string } {
  if (!(problem instanceof Problem)) {
    return {
      message: 'The server’s response could not be read',
      advice: 'Reload the page. If this happens again, tell the server’s operator.',
    }
  }
  const message = problem.message.replace(/\.$/, '')
  if (problem.kind === 'network')
    return { message, advice: 'Content that is already loaded stays. Check that the server is running.' }
  if (problem.kind === 'refused') return { message, advice: '' }
  return { message, advice: 'The other pages are not affected.' }
}

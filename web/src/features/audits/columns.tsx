// The columns of the list: seven on a wide screen, two on a narrow one.
import { createColumnHelper, tableFeatures } from '@tanstack/react-table'
import { StatusBadge } from '@/components/ui/badge.tsx'
import { When } from '@/components/ui/value.tsx'
import { type AuditLog, findingCounts, KINDS, type Kind } from './log.ts'

/** Longer texts are cut, so that laying out a cell stays cheap. */
const SHOWN_CHARS_MAX = 300

export const FEATURES = tableFeatures({})
const helper = createColumnHelper<typeof FEATURES, AuditLog>()

export const WIDE = helper.columns([
  helper.display({ id: 'time', header: 'Time', cell: ({ row }) => <When at={row.original.created_at} /> }),
  helper.display({ id: 'status', header: 'Verdict', cell: ({ row }) => <StatusBadge status={row.original.status} /> }),
  helper.display({ id: 'risk', header: 'Risk', cell: ({ row }) => <Risk log={row.original} /> }),
  helper.display({ id: 'query', header: 'Query', cell: ({ row }) => <OpenLink log={row.original} /> }),
  helper.display({ id: 'answer', header: 'Answer', cell: ({ row }) => <OneLine text={row.original.response} /> }),
  helper.display({ id: 'findings', header: 'Findings', cell: ({ row }) => <Findings log={row.original} /> }),
  helper.display({ id: 'model', header: 'Model', cell: ({ row }) => <ModelName log={row.original} /> }),
])

export const NARROW = helper.columns([
  helper.display({
    id: 'verdict',
    header: 'Verdict',
    cell: ({ row }) => (
      <div className="flex flex-col items-start gap-1">
        <StatusBadge status={row.original.status} />
        <span className="text-muted text-xs">
          <When at={row.original.created_at} />
        </span>
      </div>
    ),
  }),
  helper.display({
    id: 'text',
    header: 'Query and findings',
    cell: ({ row }) => (
      <div className="flex min-w-0 flex-col gap-1">
        <OpenLink log={row.original} />
        <span className="flex gap-3 text-muted text-xs">
          <span>
            Risk <Risk log={row.original} />
          </span>
          <Findings log={row.original} />
        </span>
      </div>
    ),
  }),
])

/** The width of each column, and the page width from which it is shown. */
export const WIDTHS: Record<string, string> = {
  time: 'w-32',
  status: 'w-28',
  risk: 'w-14',
  query: '',
  answer: 'max-lg:hidden',
  findings: 'w-36',
  model: 'w-44 max-xl:hidden',
  verdict: 'w-28',
  text: '',
}

function Risk({ log }: { log: AuditLog }) {
  return (
    <span className="font-medium" data-risk={log.audit.risk_score}>
      {log.audit.risk_score}
    </span>
  )
}

/** The row's only link, for keyboards and screen readers. A click anywhere on the row does the same. */
function OpenLink({ log }: { log: AuditLog }) {
  return (
    <a href={`/?log=${encodeURIComponent(log.id)}`} data-log={log.id} className="foreign-line block">
      {cut(log.query) || '(empty query)'}
    </a>
  )
}

function OneLine({ text }: { text: string }) {
  return <span className="foreign-line block text-muted">{cut(text)}</span>
}

const HUES: Record<Kind, string> = {
  pii: 'text-pii',
  toxicity: 'text-toxicity',
  injection: 'text-injection',
  grounding: 'text-grounding',
}

function Findings({ log }: { log: AuditLog }) {
  return (
    <span className="flex gap-2 overflow-hidden font-medium text-xs">
      {findingCounts(log).map(([kind, count]) => (
        <abbr key={kind} title={KINDS[kind].name} className={`whitespace-nowrap no-underline ${HUES[kind]}`}>
          {KINDS[kind].short}×{count}
        </abbr>
      ))}
    </span>
  )
}

function ModelName({ log }: { log: AuditLog }) {
  const { provider, model } = log.worker ?? {}
  const name = [provider, model === provider ? undefined : model].filter(Boolean).join('/')
  return <span className="foreign-line block text-muted">{name === '' ? 'Unknown' : name}</span>
}

function cut(text: string): string {
  return text.length <= SHOWN_CHARS_MAX ? text : `${text.slice(0, SHOWN_CHARS_MAX)}…`
}

// The explanation and country that the sender of an external alert added to its signals.
import type { Schemas } from '@/api/client.ts'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { country } from './travel.tsx'

export function SenderPanel({ one }: { one: Schemas['Investigation'] }) {
  const { country: code, explanation } = (one.alert?.metadata ?? {}) as Record<string, unknown>
  const rows: [string, React.ReactNode][] = []
  if (typeof explanation === 'string') {
    rows.push([
      'Explanation',
      <span key="explanation" className="foreign whitespace-pre-line">
        {explanation.slice(0, SHOWN_CHARS_MAX)}
      </span>,
    ])
  }
  if (typeof code === 'string') rows.push(['Country', country(code.slice(0, COUNTRY_CHARS_MAX))])
  if (rows.length === 0) return null
  return (
    <Panel title="Details from the sender">
      <div className="px-4 py-3">
        <DefinitionList rows={rows} />
      </div>
    </Panel>
  )
}

/** The server's limit. An alert stored by an older version may be longer. */
const SHOWN_CHARS_MAX = 2_000
const COUNTRY_CHARS_MAX = 60

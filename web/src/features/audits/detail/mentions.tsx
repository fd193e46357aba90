// Names, places, dates and other mentions that identify nobody. They are listed separately because they add no risk.
import { findingName } from '../finding-names.ts'
import type { MarkedFinding } from './marked.tsx'

export function MentionList({ query, answer, found }: { query: string; answer: string; found: MarkedFinding[] }) {
  const texts = { query: Array.from(query), answer: Array.from(answer) }
  const rows = found.map(({ id, finding }) => {
    const place = finding.in === 'query' ? 'query' : 'answer'
    return { id, place, words: texts[place].slice(finding.start, finding.end).join(''), type: finding.type }
  })
  return (
    <>
      <p className="text-muted text-sm">
        Names, places, organisations, dates and titles that identify nobody here. They add no risk.
      </p>
      <ul className="flex flex-wrap gap-2 text-sm">
        {rows.map(({ id, place, words, type }) => (
          <li key={id} className="max-w-full rounded-md border border-line px-2 py-1">
            <span className="foreign">{words}</span>{' '}
            <span className="text-muted text-xs">
              {findingName(type).toLowerCase()}
              {place === 'query' && ', in the query'}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

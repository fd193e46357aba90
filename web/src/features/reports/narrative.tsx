// Which points the narrative covers according to the report check, and whether a model took part in the check.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { sentenceCase } from '@/components/ui/value.tsx'
import { inWords } from './sections.ts'

interface NarrativePoint {
  name: string
  state: string
}

/** Malformed entries are left out; the verdict does not depend on them. */
export function readPoints(value: unknown): NarrativePoint[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    const { point, state } = typeof one === 'object' && one !== null ? (one as { [name: string]: unknown }) : {}
    return typeof point === 'string' && typeof state === 'string' ? [{ name: point, state }] : []
  })
}

const TONES: Record<string, Tone> = { present: 'safe', not_available: 'neutral', missing: 'warning' }

export function Narrative({ points }: { points: NarrativePoint[] }) {
  if (points.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="text-muted">Narrative: {counted(points)}</summary>
      <ul className="flex flex-col gap-1 py-2">
        {points.map(({ name, state }) => (
          <li key={name} className="flex items-center justify-between gap-3">
            <span className="first-letter:uppercase">{inWords(name)}</span>
            <Badge tone={TONES[state] ?? 'warning'}>{sentenceCase(state)}</Badge>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** For example "5 present, 5 not available". A missing fact is not a fault if the report says that it is missing. */
export function counted(points: NarrativePoint[]): string {
  const counts = new Map<string, number>()
  for (const { state } of points) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${inWords(state)}`).join(', ')
}

export function checkedBy(assessment: Schemas['Participation'] | null | undefined): string {
  switch (assessment?.state) {
    case 'model':
      return 'Checked by rules and a model.'
    case 'degraded':
      return `Checked by rules; the model did not take part: ${assessment.reason}`
    case 'unparseable':
      return 'Checked by rules; the model’s reply could not be read.'
    default:
      return 'Checked by rules; no model is configured.'
  }
}

// Which questions the narrative answers, as the supervisor found it, and who sat in judgement.
import type { Schemas } from '@/api/client.ts'
import { Badge, type Tone } from '@/components/ui/badge.tsx'
import { inWords } from './sections.ts'

interface Point {
  name: string
  state: string
}

/** What is not of the known shape is left out: the verdict does not depend on it. */
export function readPoints(value: unknown): Point[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((one: unknown) => {
    const { point, state } = typeof one === 'object' && one !== null ? (one as { [name: string]: unknown }) : {}
    return typeof point === 'string' && typeof state === 'string' ? [{ name: point, state }] : []
  })
}

const TONES: Record<string, Tone> = { present: 'safe', not_available: 'neutral', missing: 'warning' }

export function Narrative({ points }: { points: Point[] }) {
  if (points.length === 0) return null
  return (
    <details className="text-sm">
      <summary className="text-muted">Narrative: {counted(points)}</summary>
      <ul className="flex flex-col gap-1 py-2">
        {points.map(({ name, state }) => (
          <li key={name} className="flex items-center justify-between gap-3">
            <span className="first-letter:uppercase">{inWords(name)}</span>
            <Badge tone={TONES[state] ?? 'warning'}>{inWords(state)}</Badge>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** "5 present, 5 not available": a point without facts is no fault if the report says so. */
export function counted(points: Point[]): string {
  const counts = new Map<string, number>()
  for (const { state } of points) counts.set(state, (counts.get(state) ?? 0) + 1)
  return [...counts].map(([state, count]) => `${count} ${inWords(state)}`).join(', ')
}

export function judges(assessment: Schemas['Participation'] | null | undefined): string {
  switch (assessment?.state) {
    case 'model':
      return 'Judged by rules and by a model.'
    case 'degraded':
      return `Judged by rules; the model did not take part: ${assessment.reason}`
    case 'unparseable':
      return 'Judged by rules; what the model replied could not be read.'
    default:
      return 'Judged by rules; no model is configured.'
  }
}

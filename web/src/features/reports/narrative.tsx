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
  const answered = points.filter(({ state }) => state === 'present').length
  return (
    <details className="text-sm">
      <summary className="text-muted">
        The narrative meets {answered} of {points.length} points
      </summary>
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

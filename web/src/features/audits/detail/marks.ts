// Splits a text at the start and end of every finding. Findings count in code points and may overlap; the segments together
// are always the whole text.
import type { Finding } from '../log.ts'

export interface Segment {
  /** In code points from the start of the text. */
  start: number
  text: string
  /** Indices into the list of findings; empty for words without a finding. */
  findings: number[]
}

export function segments(text: string, findings: readonly Finding[]): Segment[] {
  const points = Array.from(text)
  const spans = findings.map((finding) => spanOf(finding, points.length))
  const cuts = new Set([0, points.length])
  for (const span of spans) {
    if (span !== null) for (const cut of span) cuts.add(cut)
  }
  const boundaries = [...cuts].sort((a, b) => a - b)
  return boundaries.slice(0, -1).map((start, at) => {
    const end = boundaries[at + 1] ?? points.length
    const found = spans.flatMap((span, which) => (span !== null && span[0] <= start && end <= span[1] ? [which] : []))
    return { start, text: points.slice(start, end).join(''), findings: found }
  })
}

/** The span within the text, or `null` for a finding that is not about particular words. */
function spanOf({ start, end }: Finding, length: number): [start: number, end: number] | null {
  const [from, to] = [Math.max(0, start), Math.min(length, end)]
  return from < to ? [from, to] : null
}

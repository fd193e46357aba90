// The sections of a report in reading order, with their headings and allowed lengths.
import type { Schemas } from '@/api/client.ts'

export type SectionName = Schemas['Section']

interface Section {
  name: SectionName
  heading: string
  /** The inclusive range of words. */
  words: [min: number, max: number]
}

export const SECTIONS: Section[] = [
  { name: 'executive_summary', heading: 'Executive summary', words: [100, 150] },
  { name: 'fraud_explanation', heading: 'Fraud explanation', words: [200, 250] },
  { name: 'timeline_narrative', heading: 'Timeline of events', words: [150, 200] },
  { name: 'risk_justification', heading: 'Risk justification', words: [150, 200] },
  { name: 'investigation_narrative', heading: 'Investigation narrative', words: [180, 220] },
]

export function headingOf(name: string): string {
  return SECTIONS.find((section) => section.name === name)?.heading ?? inWords(name)
}

/** `score_severity_mismatch` as "score severity mismatch". */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ').trim()
}

/** The writer of a section. Text that the fact check rejected does not count as the model's. */
export function writerOf({ written_by, model }: Pick<Schemas['WrittenSection'], 'written_by' | 'model'>): string {
  switch (written_by) {
    case 'builtin':
      return 'the built-in writer'
    case 'model':
      return model ?? 'a model'
    case 'model and builtin':
      return `${model ?? 'a model'} and the built-in writer`
    case 'fallback':
      return `the built-in writer, because no text of ${model ?? 'the model'} could be used`
  }
}

// What a report is made of, in the order in which it is read, and how long each part is meant to be.
import type { Schemas } from '@/api/client.ts'

export type SectionName = Schemas['Section']

interface Section {
  name: SectionName
  heading: string
  /** Fewest and most words, both allowed. */
  words: [least: number, most: number]
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

/** `score_severity_mismatch` as people write it. */
export function inWords(name: string): string {
  return name.replaceAll('_', ' ').trim()
}

/** Who wrote a section. What a model was asked for and the fact check did not take is not the model's. */
export function writerOf({ written_by, model }: Pick<Schemas['WrittenSection'], 'written_by' | 'model'>): string {
  switch (written_by) {
    case 'builtin':
      return 'the built-in writer'
    case 'model':
      return model ?? 'a model'
    case 'model and builtin':
      return `${model ?? 'a model'} and the built-in writer`
    case 'fallback':
      return `the fallback, because no text of ${model ?? 'the model'} could be taken`
  }
}

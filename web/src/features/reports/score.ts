// The report check's score as a sum that can be checked by hand: 100 minus the points of each fault, and never below 0.
import type { Schemas } from '@/api/client.ts'
import { headingOf, inWords, SECTIONS } from './sections.ts'

export const FULL = 100

export interface Deduction {
  points: number
  /** The fault and its subject. */
  reason: string
  /** The rule that set the points. */
  rule: string
  /** The score after this deduction. */
  left: number
}

export interface Breakdown {
  steps: Deduction[]
  score: number
  passMark: number | null
  /** Whether the deductions add up to the recorded score. */
  addsUp: boolean
}

type ScoredVerdict = Pick<Schemas['Verdict'], 'validation_score' | 'deductions' | 'pass_mark' | 'limits'>

export function breakdown(verdict: ScoredVerdict): Breakdown {
  let left = FULL
  const steps = (verdict.deductions ?? []).map(({ points, reason, rule }) => {
    left = Math.max(0, left - points)
    return { points, reason: faultInWords(reason), rule: inWords(rule), left }
  })
  const passMark = verdict.pass_mark ?? verdict.limits?.pass_mark ?? null
  return { steps, score: verdict.validation_score, passMark, addsUp: left === verdict.validation_score }
}

/** `100 − 15 − 10 = 75` */
export function sum({ steps, score }: Breakdown): string {
  if (steps.length === 0) return `${score} of ${FULL}`
  return `${[FULL, ...steps.map(({ points }) => points)].join(' − ')} = ${score}`
}

/** Names for faults whose own names are unclear. */
const FAULTS = new Map([
  ['unlicensed', 'sentence not supported by any fact'],
  ['narrative_point', 'narrative lacks'],
])

/** `missing_section executive_summary` as "missing section: Executive summary". */
function faultInWords(reason: string): string {
  const [fault = '', ...subject] = reason.split(' ')
  const name = FAULTS.get(fault) ?? inWords(fault)
  if (subject.length === 0) return name
  const about = subject.join(' ')
  const isSection = SECTIONS.some(({ name }) => name === about)
  return `${name}: ${isSection ? headingOf(about) : inWords(about)}`
}

export interface Issue {
  type: string
  severity: string
  description: string
  /** `null` if the issue concerns the whole report. */
  section: string | null
}

/** Reads an issue from the server. An unknown shape is shown as JSON. */
export function readIssue(value: unknown): Issue {
  const fields = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : null)
  return {
    type: inWords(text('type') ?? 'issue'),
    severity: text('severity') ?? 'not stated',
    description: text('description') ?? JSON.stringify(value) ?? 'not stated',
    section: text('section'),
  }
}

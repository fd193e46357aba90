// The report check's score as a sum that can be checked by hand: 100 minus the points of each fault, and never below 0.
import type { Schemas } from '@/api/client.ts'
import { headingOf, inWords, SECTIONS } from './sections.ts'

export const SCORE_MAX = 100

export interface Deduction {
  points: number
  /** The fault and its subject. */
  reason: string
  /** The rule that set the points. */
  rule: string
  /** The score after this deduction. */
  remaining: number
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
  let remaining = SCORE_MAX
  const steps = (verdict.deductions ?? []).map(({ points, reason, rule }) => {
    remaining = Math.max(0, remaining - points)
    return { points, reason: faultInWords(reason), rule: inWords(rule), remaining }
  })
  const passMark = verdict.pass_mark ?? verdict.limits?.pass_mark ?? null
  return { steps, score: verdict.validation_score, passMark, addsUp: remaining === verdict.validation_score }
}

/** `100 − 15 − 10 = 75` */
export function sum({ steps, score }: Breakdown): string {
  if (steps.length === 0) return `${score} of ${SCORE_MAX}`
  return `${[SCORE_MAX, ...steps.map(({ points }) => points)].join(' − ')} = ${score}`
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

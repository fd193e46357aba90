// The supervisor's score as a sum that can be checked by hand: 100, less what each fault costs, and never below 0.
import type { Schemas } from '@/api/client.ts'
import { headingOf, inWords, SECTIONS } from './sections.ts'

export const FULL = 100

export interface Step {
  points: number
  /** The fault and what it concerns. */
  reason: string
  /** Under which rule the points were taken. */
  rule: string
  /** What is left after it. */
  left: number
}

export interface Breakdown {
  steps: Step[]
  score: number
  passMark: number | null
  /** Whether the steps lead to the score that is on record. */
  addsUp: boolean
}

type Judged = Pick<Schemas['Verdict'], 'validation_score' | 'deductions' | 'pass_mark' | 'limits'>

export function breakdown(verdict: Judged): Breakdown {
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

/** Faults whose own names say too little. */
const FAULTS = new Map([
  ['unlicensed', 'sentence that no fact licenses'],
  ['narrative_point', 'narrative falls short on'],
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
  /** `null` for what concerns the report as a whole. */
  section: string | null
}

/** Issues as the server tells them; what is not of their shape is shown as it came. */
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

// What an alert says it was raised for. Our detector's signals have a known shape; alerts from outside may carry anything
// or nothing, so nothing here is taken for granted and what is not understood is kept as text.
import { money, number } from '@/components/ui/value.tsx'

export type Outcome = 'fired' | 'clear' | 'insufficient_history' | 'not_applicable'

export interface Signal {
  name: string
  outcome: Outcome | null
  value: number | null
  threshold: number | null
  unit: string | null
  /** Points of the score. */
  contribution: number | null
  explanation: string | null
  baseline: [name: string, value: string][]
  details: [name: string, value: string][]
  flags: Flag[]
  trip: Trip | null
}

export interface Flag {
  name: string
  weight: number | null
  message: string | null
}

export interface Trip {
  from: string
  to: string
  distanceKm: number
  elapsed: string | null
  speedKmh: number
  limitKmh: number | null
  isNewCountry: boolean
}

type Fields = { [name: string]: unknown }

const OUTCOMES: readonly string[] = ['fired', 'clear', 'insufficient_history', 'not_applicable'] satisfies Outcome[]
const SHORT: Record<string, string> = {
  amount_deviation: 'amount',
  velocity_anomaly: 'velocity',
  geographic_inconsistency: 'travel',
  rule_flags: 'rules',
}

/** The strongest first. */
export function readSignals(metadata: unknown): Signal[] {
  const signals = Object.entries(fields(fields(metadata).signals)).map(([name, value]) => readSignal(name, value))
  return signals.sort((one, other) => weight(other) - weight(one))
}

function weight({ contribution, outcome }: Signal): number {
  return (contribution ?? 0) * 2 + (outcome === 'fired' ? 1 : 0)
}

function readSignal(name: string, value: unknown): Signal {
  const of = fields(value)
  const outcome = text(of.outcome)
  const details = fields(of.details)
  const isKnown = outcome !== null && OUTCOMES.includes(outcome)
  return {
    name,
    outcome: isKnown ? (outcome as Outcome) : null,
    value: figure(of.value),
    threshold: figure(of.threshold),
    unit: text(of.unit),
    contribution: figure(of.contribution),
    explanation: text(of.explanation) ?? (isKnown || isAllFigures(of) ? null : asText(value)),
    baseline: pairs(fields(of.baseline)),
    details: pairs(details),
    flags: Array.isArray(of.flags) ? of.flags.map(readFlag) : [],
    trip: readTrip(details, of.unit === 'km/h' ? figure(of.threshold) : null),
  }
}

const FIGURES = ['value', 'threshold', 'unit', 'contribution']

/** A signal that consists of figures is shown as figures, and not again as JSON. */
function isAllFigures(of: Fields): boolean {
  return figure(of.value) !== null && Object.keys(of).every((name) => FIGURES.includes(name))
}

function readFlag(value: unknown): Flag {
  const of = fields(value)
  return { name: text(of.name) ?? asText(value), weight: figure(of.weight), message: text(of.message) }
}

function readTrip(details: Fields, limitKmh: number | null): Trip | null {
  const [from, to] = [text(details.from_country), text(details.to_country)]
  const [distanceKm, speedKmh] = [figure(details.distance_km), figure(details.speed_kmh)]
  if (from === null || to === null || distanceKm === null || speedKmh === null) return null
  const elapsed = text(details.elapsed)
  return { from, to, distanceKm, elapsed, speedKmh, limitKmh, isNewCountry: details.is_new_country === true }
}

export function nameInWords(name: string): string {
  return name.replaceAll('_', ' ')
}

export function shortName(name: string): string {
  return Object.hasOwn(SHORT, name) ? (SHORT[name] ?? name) : nameInWords(name)
}

/** One line that says what happened. */
export function whatHappened(metadata: unknown): string {
  const strongest = readSignals(metadata)[0]
  if (strongest === undefined) return 'Alert from outside, without signals'
  // A rule's own words say more than how many rules held.
  const held = strongest.flags.toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0))[0]
  return held?.message ?? strongest.explanation ?? nameInWords(strongest.name)
}

export interface Composition {
  parts: { name: string; points: number }[]
  sum: number
  /** Whether the sum went over the highest score there is. */
  isCapped: boolean
  /** Whether the parts lead to the score; not where somebody else's detector gave it. */
  addsUp: boolean
}

const SCORE_MAX = 100

export function composition(signals: Signal[], score: number): Composition {
  const parts = signals.flatMap(({ name, contribution }) =>
    contribution === null || contribution <= 0 ? [] : [{ name, points: contribution }],
  )
  const sum = parts.reduce((all, { points }) => all + points, 0)
  return { parts, sum, isCapped: sum > SCORE_MAX, addsUp: Math.min(sum, SCORE_MAX) === score }
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')
}

/** Amounts stay decimal text. */
function readable(value: unknown): string {
  const { amount, currency } = fields(value)
  if (typeof amount === 'string' && typeof currency === 'string') return money({ amount, currency })
  if (typeof value === 'number') return number(value)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return asText(value)
}

function pairs(of: Fields): [string, string][] {
  return Object.entries(of).map(([name, value]) => [nameInWords(name), readable(value)])
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function figure(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

// Reads the signals of an alert. The built-in detector's signals have a known shape; external alerts may carry anything, so
// every field is checked and unknown values are kept as text.
import { money, number } from '@/components/ui/value.tsx'

export type SignalOutcome = 'fired' | 'clear' | 'insufficient_history' | 'not_applicable'

export interface Signal {
  name: string
  outcome: SignalOutcome | null
  value: number | null
  threshold: number | null
  unit: string | null
  /** Points added to the score. */
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

const OUTCOMES: readonly string[] = [
  'fired',
  'clear',
  'insufficient_history',
  'not_applicable',
] satisfies SignalOutcome[]
const SHORT_NAMES: Record<string, string> = {
  amount_deviation: 'amount',
  velocity_anomaly: 'velocity',
  geographic_inconsistency: 'travel',
  rule_flags: 'rules',
}

/** The strongest signal first. */
export function readSignals(metadata: unknown): Signal[] {
  const signals = Object.entries(fields(fields(metadata).signals)).map(([name, value]) => readSignal(name, value))
  return signals.sort((one, other) => weight(other) - weight(one))
}

function weight({ contribution, outcome }: Signal): number {
  return (contribution ?? 0) * 2 + (outcome === 'fired' ? 1 : 0)
}

function readSignal(name: string, value: unknown): Signal {
  const raw = fields(value)
  const outcome = text(raw.outcome)
  const details = fields(raw.details)
  const isKnown = outcome !== null && OUTCOMES.includes(outcome)
  return {
    name,
    outcome: isKnown ? (outcome as SignalOutcome) : null,
    value: figure(raw.value),
    threshold: figure(raw.threshold),
    unit: text(raw.unit),
    contribution: figure(raw.contribution),
    explanation: text(raw.explanation) ?? (isKnown || isAllFigures(raw) ? null : asText(value)),
    baseline: pairs(fields(raw.baseline)),
    details: pairs(details),
    flags: Array.isArray(raw.flags) ? raw.flags.map(readFlag) : [],
    trip: readTrip(details, raw.unit === 'km/h' ? figure(raw.threshold) : null),
  }
}

const FIGURES = ['value', 'threshold', 'unit', 'contribution']

/** A signal that consists only of figures is shown as figures and not repeated as JSON. */
function isAllFigures(raw: Fields): boolean {
  return figure(raw.value) !== null && Object.keys(raw).every((name) => FIGURES.includes(name))
}

function readFlag(value: unknown): Flag {
  const raw = fields(value)
  return { name: text(raw.name) ?? asText(value), weight: figure(raw.weight), message: text(raw.message) }
}

function readTrip(details: Fields, limitKmh: number | null): Trip | null {
  const [from, to] = [text(details.from_country), text(details.to_country)]
  const [distanceKm, speedKmh] = [figure(details.distance_km), figure(details.speed_kmh)]
  if (from === null || to === null || distanceKm === null || speedKmh === null) return null
  const elapsed = text(details.elapsed)
  return { from, to, distanceKm, elapsed, speedKmh, limitKmh, isNewCountry: details.is_new_country === true }
}

/** `AMOUNT_DEVIATION` and `amount_deviation` as "amount deviation". */
export function nameInWords(name: string): string {
  const words = name.replaceAll('_', ' ')
  return /^[A-Z0-9]+(_[A-Z0-9]+)+$/.test(name) ? words.toLowerCase() : words
}

export function shortName(name: string): string {
  return Object.hasOwn(SHORT_NAMES, name) ? (SHORT_NAMES[name] ?? name) : nameInWords(name)
}

/** Describes the alert in one line. */
export function whatHappened(metadata: unknown): string {
  const strongest = readSignals(metadata)[0]
  if (strongest === undefined) return 'External alert without signals'
  // A rule's message says more than the number of rules that matched.
  const matched = strongest.flags.toSorted((one, other) => (other.weight ?? 0) - (one.weight ?? 0))[0]
  return matched?.message ?? strongest.explanation ?? nameInWords(strongest.name)
}

export interface Composition {
  parts: { name: string; points: number }[]
  sum: number
  /** Whether the sum exceeded the highest possible score. */
  isCapped: boolean
  /** Whether the parts add up to the score. An external alert's need not. */
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

function pairs(raw: Fields): [string, string][] {
  return Object.entries(raw).map(([name, value]) => [nameInWords(name), readable(value)])
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

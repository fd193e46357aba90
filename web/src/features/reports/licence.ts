// The facts that support a sentence, each with its name and value in words.
import { money, number, sentenceCase } from '@/components/ui/value.tsx'
import { child, pathInWords, steps, valueInWords } from './fact.ts'
import { inWords } from './sections.ts'

export interface LicensingFact {
  /** JSON pointer into the record. */
  path: string
  value: unknown
}

export interface FactInWords {
  path: string
  name: string
  /** The fact's value in words. */
  value: string
  /** Whether the record has a value at the path. The absence of a fact can support a sentence too. */
  isOnRecord: boolean
}

/** Drops a fact if a more specific one is listed, and facts with identical wording. */
export function factsInWords(facts: readonly LicensingFact[], record: unknown): FactInWords[] {
  const seen = new Set<string>()
  return facts.flatMap(({ path, value }) => {
    if (facts.some((other) => other.path.startsWith(`${path}/`))) return []
    const isOnRecord = value !== null && value !== undefined
    const fact = { path, name: nameOf(path, record), value: describe(path, value, record), isOnRecord }
    const line = `${fact.name}\n${fact.value}`
    if (seen.has(line)) return []
    seen.add(line)
    return [fact]
  })
}

const NAMES = new Map(
  Object.entries({
    '/baseline': 'Baseline',
    '/case/alert_created_at': 'Alert raised',
    '/case/alert_id': 'Alert',
    '/case/investigation_id': 'Investigation',
    '/case/regulatory_impact': 'Regulatory impact',
    '/case/risk_score': 'Risk score',
    '/case/rules_hash': 'Hash of the rules',
    '/case/severity': 'Severity',
    '/case/source': 'Alert raised by',
    '/correlation/last_alert_at': 'Last earlier alert',
    '/correlation/prior_alerts': 'Earlier alerts for this customer',
    '/correlation/similar_alerts': 'Similar alerts',
    '/score/agrees_with_severity': "Score within the severity's band",
    '/score/band_from': "Lowest score in the severity's band",
    '/score/band_to': "Highest score in the severity's band",
    '/score/contributions': 'Points by signal',
    '/score/is_capped': 'Score capped',
    '/score/maximum': 'Highest possible score',
    '/score/sum': 'Points before the cap',
    '/score/total': 'Risk score',
    '/signals': 'Signals',
    '/subject/account_age_days': 'Age of the account in days',
    '/subject/account_opened_at': 'Account opened',
    '/subject/first_transaction_at': 'First transaction on record',
    '/subject/transaction_count': 'Earlier transactions on record',
    '/subject/user_id': 'Customer',
    '/timeline': 'Timeline',
    '/timeline_omitted': 'Events left out of the timeline',
    '/transaction': 'Transaction',
    '/transaction/occurred_at': 'Transaction, time',
  }),
)

function nameOf(path: string, record: unknown): string {
  const known = NAMES.get(path)
  if (known !== undefined) return known
  const [first, index, ...rest] = steps(path)
  const item = first === undefined || index === undefined ? undefined : child(child(record, first), index)
  if (first === 'timeline' && item !== undefined) {
    return [eventName(item), ...rest.filter((step) => step !== 'location').map(inWords)].join(', ')
  }
  return sentenceCase(shortened(pathInWords(path, record)))
}

/** Replacements that shorten names: a signal goes by its own name, and words that add nothing are dropped. */
const SHORTENINGS: [pattern: RegExp, replacement: string][] = [
  // "signals, amount deviation, outcome" becomes "amount deviation".
  [/^signals, (.*?)(, outcome)?$/, '$1'],
  // "baseline, countries, Norway, country name" becomes "country in the baseline".
  [/^baseline, countries, .*, country name$/, 'country in the baseline'],
  // "baseline, countries, Norway, transactions" becomes "earlier transactions in Norway".
  [/^baseline, countries, (.*), transactions$/, 'earlier transactions in $1'],
  // "transaction, location, city" becomes "transaction, city".
  [/location, /, ''],
]

function shortened(name: string): string {
  return SHORTENINGS.reduce((words, [pattern, replacement]) => words.replace(pattern, replacement), name)
}

function eventName(event: unknown): string {
  const { happening: kind, timestamp } = event as { happening?: unknown; timestamp?: unknown }
  const name = typeof kind === 'string' ? sentenceCase(inWords(kind)) : 'Event'
  const day = typeof timestamp === 'string' ? utc(timestamp, DAY) : null
  return day === null ? name : `${name} of ${day}`
}

/** Enum values of the record in words, by the last step of their path. */
const VALUE_WORDS: { [step: string]: { [value: string]: string } } = {
  outcome: {
    fired: 'fired',
    clear: 'did not fire',
    insufficient_history: 'not enough history to tell',
    not_applicable: 'does not apply',
    reported: 'reported by the external alert',
  },
  status: { completed: 'completed', attempted: 'attempted', not_stated: 'not stated' },
  source: { detector: 'the detector', external: 'an external system' },
}

/** Counts that are described as "none" if they are 0. */
const COUNTS = new Set(['/correlation/prior_alerts', '/correlation/similar_alerts', '/subject/transaction_count'])
const VALUE_CHARS_MAX = 300

function describe(path: string, value: unknown, record: unknown): string {
  const text = describeUntruncated(path, value, record)
  return text.length > VALUE_CHARS_MAX ? `${Array.from(text).slice(0, VALUE_CHARS_MAX).join('')}…` : text
}

function describeUntruncated(path: string, value: unknown, record: unknown): string {
  if (value === null || value === undefined) return path === '/baseline' ? 'no baseline on record' : 'not on record'
  if (value === 0 && COUNTS.has(path)) return 'none'
  if (typeof value === 'string') return enumInWords(path, value) ?? utc(value, TIME) ?? value
  if (typeof value === 'number') return [number(value), unitOf(path, record)].filter(Boolean).join(' ')
  if (Array.isArray(value)) return describeList(path, value)
  return describeObject(value) ?? valueInWords(value)
}

function enumInWords(path: string, value: string): string | null {
  const known = VALUE_WORDS[steps(path).at(-1) ?? '']
  return known !== undefined && Object.hasOwn(known, value) ? (known[value] ?? null) : null
}

/** The unit of a signal's value or threshold. */
function unitOf(path: string, record: unknown): string | null {
  const signal = /^\/signals\/(\d+)\/(value|threshold)$/.exec(path)?.[1]
  const unit = signal && child(child(child(record, 'signals'), signal), 'unit')
  return typeof unit === 'string' ? unit : null
}

function describeList(path: string, items: unknown[]): string {
  if (path === '/signals') {
    const fired = items.filter((item) => child(item, 'outcome') === 'fired').length
    return `${number(fired)} of ${number(items.length)} fired`
  }
  if (path === '/score/contributions') {
    const field = (item: unknown, name: string) => valueInWords(child(item, name))
    return items.map((item) => `${inWords(field(item, 'signal'))} ${field(item, 'points')}`).join(', ')
  }
  const unit = path === '/timeline' ? 'event' : 'entry'
  const units = path === '/timeline' ? 'events' : 'entries'
  return `${number(items.length)} ${items.length === 1 ? unit : units}`
}

/** A short description of an object: a location, a timeline event, an outcome, a transaction, a baseline or an amount. */
function describeObject(value: unknown): string | null {
  const text = (name: string) => {
    const field = child(value, name)
    return typeof field === 'string' ? field : null
  }
  const country = text('country_name')
  if (country !== null) return [text('city'), country].filter(Boolean).join(', ')
  if (text('event') !== null) return text('event')
  if (text('outcome') !== null) return enumInWords('/outcome', text('outcome') ?? '') ?? text('outcome')
  if (text('transaction_id') !== null) return 'on record'
  const transactions = child(value, 'transactions')
  if (typeof transactions === 'number') {
    return `${number(transactions)} earlier ${transactions === 1 ? 'transaction' : 'transactions'}`
  }
  const amount = text('amount')
  const currency = text('currency')
  return amount !== null && currency !== null ? money({ amount, currency }) : null
}

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const TIME = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** Formats a timestamp in UTC; `null` if the text is not a timestamp. */
function utc(text: string, format: Intl.DateTimeFormat): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(text) || Number.isNaN(Date.parse(text))) return null
  const formatted = format.format(new Date(text))
  return format === TIME ? `${formatted} UTC` : formatted
}

// The source of a figure in words: its path in the record and its value.
import { money, number } from '@/components/ui/value.tsx'
import { inWords } from './sections.ts'

/** `/signals/0/value` as "signals, amount deviation, value". List items appear under their own names if they have one. */
export function pathInWords(path: string, record: unknown): string {
  let here: unknown = record
  const words: string[] = []
  for (const step of steps(path)) {
    const next = child(here, step)
    words.push(Array.isArray(here) ? (nameOf(next) ?? `no. ${Number(step) + 1}`) : inWords(step))
    here = next
  }
  return words.join(', ')
}

/** The steps of a JSON pointer. */
export function steps(path: string): string[] {
  return path
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

export function pointer(parent: string, step: string): string {
  return `${parent}/${step.replaceAll('~', '~0').replaceAll('/', '~1')}`
}

export function child(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined
  return (value as Record<string, unknown>)[step]
}

function nameOf(value: unknown): string | null {
  const name = child(value, 'name') ?? child(value, 'signal') ?? child(value, 'country_name')
  return typeof name === 'string' ? inWords(name) : null
}

/** A value in readable form. Amounts stay decimal text. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined) return 'not stated'
  if (typeof value === 'number') return number(value)
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const amount = child(value, 'amount')
  const currency = child(value, 'currency')
  if (typeof amount === 'string' && typeof currency === 'string') return money({ amount, currency })
  return JSON.stringify(value)
}

export function isMoney(value: unknown): boolean {
  return typeof child(value, 'amount') === 'string' && typeof child(value, 'currency') === 'string'
}

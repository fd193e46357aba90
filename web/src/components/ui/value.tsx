// Times, amounts, numbers and hashes in one format everywhere.
import { useEffect, useState } from 'react'
import type { Schemas } from '@/api/client.ts'

const NUMBER = new Intl.NumberFormat('en-US')
const CLOCK = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

export function number(value: number): string {
  return NUMBER.format(value)
}

/** An identifier as words, with a capital first letter: `round_amount` as "Round amount". */
export function sentenceCase(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The amount with thousands separators. It stays decimal text and never passes through a float. */
export function money({ amount, currency }: Schemas['Money']): string {
  const [whole = '', decimals] = amount.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${currency} ${decimals === undefined ? grouped : `${grouped}.${decimals}`}`
}

export function clock(at: string): string {
  return CLOCK.format(new Date(at))
}

export function fullTime(at: string): string {
  return FULL.format(new Date(at))
}

/** The time of day, preceded by the date unless it is today. */
export function When({ at }: { at: string }) {
  const date = new Date(at)
  const isToday = date.toDateString() === new Date().toDateString()
  return (
    <time dateTime={at} title={`${fullTime(at)} local time (${at})`} className="whitespace-nowrap">
      {isToday ? clock(at) : `${DAY.format(date)} ${clock(at)}`}
    </time>
  )
}

const STEPS: [limitS: number, perUnitS: number, unit: string][] = [
  [60, 1, 's'],
  [3_600, 60, 'min'],
  [86_400, 3_600, 'h'],
  [Number.POSITIVE_INFINITY, 86_400, 'd'],
]

export function age(fromMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - fromMs) / 1_000))
  const [, perUnit, unit] = STEPS.find(([limit]) => seconds < limit) ?? [0, 1, 's']
  return `${Math.floor(seconds / perUnit)} ${unit}`
}

/** The time since `at`, updated while it is on the page. */
export function Age({ at }: { at: string }) {
  const now = useNow(5_000)
  return (
    <time dateTime={at} title={fullTime(at)} className="whitespace-nowrap">
      {age(new Date(at).getTime(), now)}
    </time>
  )
}

export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}

/** A hash or id, shortened in the middle. The tooltip shows all of it. */
export function Hash({ value, keep = 8 }: { value: string; keep?: number }) {
  const short = value.length > keep * 2 ? `${value.slice(0, keep)}…${value.slice(-4)}` : value
  return (
    <code title={value} className="font-mono text-xs">
      {short}
    </code>
  )
}

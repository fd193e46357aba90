import { readFileSync } from 'node:fs'
import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import type { AuditLog, Status } from './log.ts'
import { findings, logOf, mockLayout, scores } from './staged.test-env.tsx'
import { LogTable } from './table.tsx'

beforeEach(() => mockLayout())

const scroll = { current: document.body as unknown as HTMLDivElement }
const nothing = () => undefined

function table(items: AuditLog[]) {
  const rows = { pages: [{ items, next: null, partial: false }] }
  return <LogTable rows={rows} activeId={null} onOpen={nothing} onNearEnd={nothing} scroll={scroll} footer={null} />
}

const show = (items: AuditLog[]) => render(table(items))

const rowOf = (log: AuditLog) => document.querySelector(`[data-log="${log.id}"]`)?.closest('tr')

/** The classes that colour an element, without those that set its text size. */
const colours = (element: Element | null | undefined) =>
  [...(element?.classList ?? [])].filter((name) => /^(bg|text)-(?!xs$)/.test(name)).sort()

/** The tokens of the light and the dark theme, read from the style sheet. */
function themes(): Map<string, string>[] {
  const css = readFileSync('src/theme/theme.css', 'utf8')
  const blocks = [...css.matchAll(/:root(?:\[data-theme="dark"\])? \{([^}]*)\}/g)].map(([, block]) => block ?? '')
  expect(blocks).toHaveLength(2)
  return blocks.map(
    (block) =>
      new Map([...block.matchAll(/--([a-z-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name ?? '', value ?? ''])),
  )
}

/** The hue in degrees: 0 is red, 60 yellow, 120 green. */
function hueOf(theme: Map<string, string>, token: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(theme.get(token)?.slice(at, at + 2) ?? '', 16))
  const most = Math.max(r, g, b)
  const span = most - Math.min(r, g, b)
  const sixth = most === r ? ((g - b) / span + 6) % 6 : most === g ? (b - r) / span + 2 : (r - g) / span + 4
  return sixth * 60
}

const isWithin = (from: number, to: number) => (hue: number) => hue >= from && hue <= to

describe('each row', () => {
  it('Feature: agent-audit, Property 27: Status badge color mapping', () => {
    const tones = { Safe: 'safe', Warning: 'warning', Flagged: 'flagged' } as const
    const { rerender } = show([])
    fc.assert(
      fc.property(fc.array(scores, { minLength: 1, maxLength: 5 }), (all) => {
        const logs = all.map((score, seq) => logOf(seq, score))
        rerender(table(logs))
        for (const log of logs) {
          const badge = rowOf(log)?.querySelector('[data-tone]')
          const tone = tones[log.status as keyof typeof tones]
          expect([badge?.textContent, badge?.getAttribute('data-tone')]).toEqual([log.status, tone])
          expect(colours(badge)).toEqual([`bg-${tone}-tint`, `text-${tone}`])
        }
      }),
      { numRuns: 100 },
    )
  })

  it('Feature: agent-audit, Property 27: the colours are green, yellow and red in both themes', () => {
    for (const theme of themes()) {
      for (const token of ['safe', 'safe-tint']) expect(hueOf(theme, token), token).toSatisfy(isWithin(100, 170))
      for (const token of ['warning', 'warning-tint']) expect(hueOf(theme, token), token).toSatisfy(isWithin(38, 65))
      for (const token of ['flagged', 'flagged-tint']) {
        // Red is at both ends of the hue circle.
        expect((hueOf(theme, token) + 180) % 360, token).toSatisfy(isWithin(165, 195))
      }
    }
  })

  it('Feature: agent-audit, Property 29: Risk score display', () => {
    const { rerender } = show([])
    fc.assert(
      fc.property(fc.array(scores, { minLength: 1, maxLength: 5 }), (all) => {
        const logs = all.map((score, seq) => logOf(seq, score))
        rerender(table(logs))
        for (const log of logs) {
          expect(rowOf(log)?.querySelector('[data-risk]')?.textContent).toBe(String(log.audit.risk_score))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('counts the findings that count towards the verdict, by kind', () => {
    fc.assert(
      fc.property(fc.array(findings, { maxLength: 6 }), (found) => {
        const log = logOf(0, 0, { audit: { risk_score: 0, findings: found } })
        const { unmount } = show([log])
        const shown = [...(rowOf(log)?.querySelectorAll('abbr') ?? [])].map(({ textContent }) => textContent ?? '')
        const total = shown.reduce((sum, text) => sum + Number(text.split('×')[1]), 0)
        expect(total).toBe(found.filter(({ score }) => score >= 0.5).length)
        unmount()
      }),
      { numRuns: 100 },
    )
  })

  it('shows hostile text as text', () => {
    for (const hostile of HOSTILE) {
      const log = logOf(0, 0, {
        query: hostile,
        response: hostile,
        status: hostile as Status,
        worker: { provider: hostile, model: hostile, latency_ms: 1 },
      })
      const { unmount } = show([log])
      expect(rowOf(log)?.querySelector('a')?.textContent).toBe(hostile)
      expect(document.querySelectorAll('script, img, iframe, svg[onload], b')).toHaveLength(0)
      expect(rowOf(log)?.querySelector('a')?.getAttribute('href')).toBe('/?log=log-0')
      unmount()
    }
  })
})

it('only visible rows are rendered, and each knows its index', () => {
  show(Array.from({ length: 100_000 }, (_, at) => logOf(100_000 - at, 0)))
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('100001')
  const rows = document.querySelectorAll('tbody tr[aria-rowindex]')
  expect(rows.length).toBeGreaterThan(15)
  expect(rows.length).toBeLessThan(60)
  expect(rows[0]?.getAttribute('aria-rowindex')).toBe('2')
})

it('a very long text is cut before it is laid out', () => {
  const log = logOf(0, 0, { query: 'x'.repeat(1_000_000) })
  show([log])
  expect(rowOf(log)?.querySelector('a')?.textContent?.length).toBe(301)
})

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><svg onload=alert(1)>',
  "javascript:alert('1')",
  '<b>bold</b>&lt;i&gt;',
  '\u202eevil\u202c \u200b\u2066rtl\u2069',
  '{{constructor.constructor("alert(1)")()}}',
  '[link](javascript:alert(1))',
]

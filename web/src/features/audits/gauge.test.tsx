import { render, screen } from '@testing-library/react'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Gauge, levelOf, shownRisk } from './gauge.tsx'

const risks = fc.double({ min: 0, max: 10, noNaN: true })

describe('the gauge', () => {
  it.each([
    [0, 'safe', '0.0'],
    [3, 'safe', '3.0'],
    [3.99, 'safe', '3.9'],
    [4, 'warning', '4.0'],
    [6, 'warning', '6.0'],
    [6.96, 'warning', '6.9'],
    [7, 'flagged', '7.0'],
    [2.37, 'safe', '2.4'],
    [10, 'flagged', '10.0'],
  ] as const)('shows %d as %s', (risk, level, shown) => {
    expect([levelOf(risk).name, shownRisk(risk)]).toEqual([level, shown])
  })

  it('shows one decimal that is in the same level, and says the exact value', () => {
    fc.assert(
      fc.property(risks, (risk) => {
        const { unmount } = render(<Gauge risk={risk} total={1} />)
        const meter = screen.getByRole('meter')
        expect(meter.dataset.level).toBe(levelOf(risk).name)
        expect(meter.textContent).toContain(shownRisk(risk))
        expect(meter.getAttribute('aria-valuenow')).toBe(String(risk))
        expect(meter.title).toBe(`Exactly ${risk} of 10`)
        expect(levelOf(Number(shownRisk(risk)))).toBe(levelOf(risk))
        expect(Math.abs(Number(shownRisk(risk)) - risk)).toBeLessThan(0.1)
        unmount()
      }),
      { numRuns: 100 },
    )
  })

  it('is at 0 and shows no level without answers', () => {
    render(<Gauge risk={0} total={0} />)
    const meter = screen.getByRole('meter')
    expect([meter.getAttribute('aria-valuenow'), meter.textContent]).toEqual(['0', '0.0 / 10No answers'])
  })
})

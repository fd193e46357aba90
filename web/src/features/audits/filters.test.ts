import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Filters, filtersOf, isFiltered, matches, NO_FILTERS, toQuery, withFilters } from './filters.ts'
import { logOf, scores } from './staged.test-env.tsx'

const times = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString())

const filters: fc.Arbitrary<Filters> = fc.record({
  status: fc.option(fc.constantFrom('Safe' as const, 'Warning' as const, 'Flagged' as const)),
  minScore: fc.option(scores),
  maxScore: fc.option(scores),
  q: fc.string({ unit: 'binary' }).map((q) => q.trim()),
  from: fc.option(times),
  to: fc.option(times),
})

describe('filters in the address', () => {
  it('survive a round trip, and other parameters are kept', () => {
    fc.assert(
      fc.property(filters, (filters) => {
        const search = new URLSearchParams(withFilters(new URLSearchParams('log=1&range=day'), filters).toString())
        expect(filtersOf(search)).toEqual(filters)
        expect([search.get('log'), search.get('range')]).toEqual(['1', 'day'])
      }),
      { numRuns: 300 },
    )
  })

  it('without a value are left out of the address', () => {
    expect(withFilters(new URLSearchParams('status=Safe&q=x&log=1'), NO_FILTERS).toString()).toBe('log=1')
    expect(isFiltered(NO_FILTERS)).toBe(false)
  })

  it.each([
    'status=Fine',
    'min_score=11',
    'max_score=-1',
    'min_score=1e1',
    'from=yesterday',
    'to=2026-13-01T00:00:00Z',
  ])('%s is ignored', (search) => {
    expect(filtersOf(new URLSearchParams(search))).toEqual(NO_FILTERS)
  })

  it('are sent to the server as query parameters', () => {
    fc.assert(
      fc.property(filters, (filters) => {
        const query = new URLSearchParams(
          Object.entries(toQuery(filters)).map(([name, value]) => [name, String(value)]),
        )
        expect(filtersOf(query)).toEqual(filters)
      }),
    )
  })
})

describe('a row', () => {
  const log = logOf(0, 5)

  it.each<[Partial<Filters>, boolean]>([
    [{}, true],
    [{ status: 'Warning' }, true],
    [{ status: 'Safe' }, false],
    [{ minScore: 5, maxScore: 5 }, true],
    [{ minScore: 6 }, false],
    [{ maxScore: 4 }, false],
    [{ from: '2026-03-01T09:30:00Z' }, true],
    [{ from: '2026-03-01T09:30:01Z' }, false],
    [{ to: '2026-03-01T09:30:00Z' }, false],
    [{ to: '2026-03-01T10:30:01+01:00' }, true],
  ])('matches the filters %j: %s', (change, expected) => {
    expect(matches({ ...NO_FILTERS, ...change }, log)).toBe(expected)
  })
})

// Which sections show the facts behind their sentences. Kept in the address, so that a view can be linked to.
import { useSearchParams } from 'wouter'
import { SECTIONS, type SectionName } from './sections.ts'

const PARAM = 'licences'

export function useLicensedSections(): [ReadonlySet<SectionName>, (name: SectionName) => void] {
  const [search, setSearch] = useSearchParams()
  const toggle = (name: SectionName) =>
    setSearch(
      (now) => {
        const next = new URLSearchParams(now)
        const shown = read(now)
        if (!shown.delete(name)) shown.add(name)
        if (shown.size === 0) next.delete(PARAM)
        else next.set(PARAM, [...shown].join(','))
        return next
      },
      { replace: true },
    )
  return [read(search), toggle]
}

function read(search: URLSearchParams): Set<SectionName> {
  const requested = search.get(PARAM)?.split(',') ?? []
  return new Set(SECTIONS.map(({ name }) => name).filter((name) => requested.includes(name)))
}

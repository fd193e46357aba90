import { useSearchParams } from 'wouter'

/** The address that opens the record at a path and leaves the rest of the page as it is. */
export function useRecordHref(reportId: string): (path: string) => string {
  const [search] = useSearchParams()
  return (path) => {
    const next = new URLSearchParams(search)
    next.set('at', path)
    return `/reports/${reportId}?${next}`
  }
}

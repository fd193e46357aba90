import { useSearchParams } from 'wouter'

/** Returns the address that opens the record at a path and keeps the other parameters. */
export function useRecordHref(reportId: string): (path: string) => string {
  const [search] = useSearchParams()
  return (path) => {
    const next = new URLSearchParams(search)
    next.set('at', path)
    return `/reports/${reportId}?${next}`
  }
}

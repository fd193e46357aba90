// The requests of the report page.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

const path = (id: string) => ({ params: { path: { id } } })

export const reportQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id],
    queryFn: ({ signal }) => take(api.GET('/api/reports/{id}', { ...path(id), signal })),
  })

/** A written report never changes. */
const NEVER_STALE = { staleTime: Number.POSITIVE_INFINITY }

export const factsQuery = (id: string) =>
  queryOptions({
    queryKey: ['report-facts', id],
    queryFn: ({ signal }) => take(api.GET('/api/reports/{id}/facts', { ...path(id), signal })),
    ...NEVER_STALE,
  })

export const verdictsQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id, 'validations'],
    queryFn: ({ signal }) => take(api.GET('/api/reports/{id}/validations', { ...path(id), signal })),
    select: ({ items }) => [...items].sort((one, other) => other.seq - one.seq),
  })

export const versionsQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id, 'versions'],
    queryFn: ({ signal }) => take(api.GET('/api/reports/{id}/versions', { ...path(id), signal })),
    select: ({ items }) => [...items].sort((one, other) => one.version - other.version),
  })

/** The investigation of a report, with its state and the reviewers' decisions. */
export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: ['investigation', id],
    queryFn: ({ signal }) => take(api.GET('/api/investigations/{id}', { ...path(id), signal })),
  })

const EVENTS_MAX = 100

/** The events that recorded an investigation's reports, with their positions in the log and their requesters. */
export const generationsQuery = (investigation: string) =>
  queryOptions({
    queryKey: ['report', 'written', investigation],
    queryFn: ({ signal }) => {
      const query = { type: ['REPORT_GENERATED'], correlation_id: investigation, limit: EVENTS_MAX }
      return take(api.GET('/api/events', { params: { query }, signal }))
    },
    select: ({ items }) => items.map(readGeneration),
  })

/** The event that recorded a report. */
export interface Generation {
  eventId: string
  seq: number
  reportId: string | null
  reportType: string | null
  version: number
  /** The key that requested it; `null` if an agent did. */
  requestedBy: string | null
}

function readGeneration({ event_id, seq, payload }: Schemas['StoredEvent']): Generation {
  const fields = typeof payload === 'object' && payload !== null ? (payload as Record<string, unknown>) : {}
  const text = (name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : null)
  return {
    eventId: event_id,
    seq,
    reportId: text('report_id'),
    reportType: text('report_type'),
    version: typeof fields.version === 'number' ? fields.version : 1,
    requestedBy: text('requested_by'),
  }
}

/** Previews the effect of sending a report back with this comment. Nothing is recorded. */
export const previewQuery = (id: string, comment: string) =>
  queryOptions({
    queryKey: ['report', id, 'send-back-preview', comment],
    queryFn: ({ signal }) =>
      take(api.POST('/api/reports/{id}/reviews/preview', { ...path(id), body: { comment }, signal })),
    // The last preview stays, marked as stale, while the next one loads.
    placeholderData: keepPreviousData,
  })

export const addendaQuery = (id: string) =>
  queryOptions({
    queryKey: ['report', id, 'addenda'],
    queryFn: ({ signal }) =>
      take(api.GET('/api/reports/{id}/addenda', { params: { path: { id }, query: { limit: ADDENDA_MAX } }, signal })),
    select: ({ items }) => items,
  })

/** The server accepts no more than this for one report. */
const ADDENDA_MAX = 100

export function addAddendum(id: string, text: string): Promise<Schemas['Addendum']> {
  return take(api.POST('/api/reports/{id}/addenda', { ...path(id), body: { text } }))
}

export function decide(id: string, body: Schemas['NewReview']): Promise<Schemas['ReviewRow']> {
  return take(api.POST('/api/reports/{id}/reviews', { ...path(id), body }))
}

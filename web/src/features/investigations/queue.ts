// The queue's four lists, converted to one type of entry.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, type Schemas, take } from '@/api/client.ts'

export const VIEWS = ['waiting', 'all', 'decided', 'alerts'] as const
export type View = (typeof VIEWS)[number]

export interface Filters {
  severity: Schemas['Severity'] | null
  /** A state of investigations or of alerts, whichever are listed. */
  status: string | null
  user: string | null
}

export interface QueueEntry {
  id: string
  seq: number
  href: string
  severity: Schemas['Severity']
  score: number
  userId: string
  alertId: string
  /** When it started to wait for review or was decided, in the lists of those; otherwise when it was created. */
  at: string
  state: Schemas['State'] | Schemas['AlertState']
  assignedTo: string | null
  /** Set in the list of decisions. */
  decidedBy?: string
  reportId: string | null
  report: Schemas['ReportRow'] | null
  /** The signals of the alert: JSON of any shape. */
  signals: unknown
}

interface Page {
  rows: QueueEntry[]
  next: string | null
  /** Reports that were fetched along with the rows, and the cursor of their list. */
  reports: Schemas['ReportRow'][]
  reportsNext: string | null
}

interface PageStart {
  after: string | null
  reportsAfter: string | null
}

/** Rows in one page of a list. */
const ROWS_MAX = 50
/** More than one per investigation, because some have reports of several types. */
const REPORTS_MAX = 100

export const queueQuery = (view: View, filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['queue', view, filters],
    initialPageParam: { after: null, reportsAfter: null } as PageStart,
    queryFn: ({ pageParam, signal }) => READERS[view](filters, pageParam, signal),
    getNextPageParam: ({ next, reportsNext }: Page): PageStart | null =>
      next === null ? null : { after: next, reportsAfter: reportsNext },
    select: ({ pages }) => joinPages(pages),
  })

type Reader = (filters: Filters, from: PageStart, signal: AbortSignal) => Promise<Page>

const READERS: Record<View, Reader> = {
  waiting: (_, from, signal) => reviews('open', from, signal),
  decided: (_, from, signal) => reviews('decided', from, signal),
  all: investigations,
  alerts,
}

async function reviews(status: string, { after }: PageStart, signal: AbortSignal): Promise<Page> {
  const query = { status, limit: ROWS_MAX, ...(after !== null && { after }) }
  const { items, next } = await take(api.GET('/api/reviews', { params: { query }, signal }))
  const rows = items.flatMap((item) => {
    if (!item.investigation) return []
    const row = ofInvestigation(item.investigation, item.report ?? null)
    const at = item.review?.decided_at ?? item.waiting_since ?? row.at
    // An investigation can have several decisions and several waiting reports, so its id alone is not unique here.
    if (item.review) return [{ ...row, ...decision(item.review), at }]
    return [{ ...row, at, ...(item.report && { id: `${row.id}/${item.report.id}`, reportId: item.report.id }) }]
  })
  return { rows, next: next ?? null, reports: [], reportsNext: null }
}

function decision({ event_id, seq, decided_by, decided_by_name }: Schemas['ReviewRow']) {
  return { id: event_id, seq, decidedBy: decided_by_name ?? decided_by }
}

async function investigations(filters: Filters, from: PageStart, signal: AbortSignal): Promise<Page> {
  const shared = {
    ...(filters.severity !== null && { severity: filters.severity }),
    ...(filters.status !== null && { status: filters.status as Schemas['State'] }),
    ...(filters.user !== null && { user_id: filters.user }),
  }
  const query = { ...shared, limit: ROWS_MAX, ...(from.after !== null && { after: from.after }) }
  const alongside = { ...shared, limit: REPORTS_MAX, ...(from.reportsAfter !== null && { after: from.reportsAfter }) }
  const isFirst = from.after === null
  const [cases, reports] = await Promise.all([
    take(api.GET('/api/investigations', { params: { query }, signal })),
    // The list of reports may end before the list of investigations does.
    isFirst || from.reportsAfter !== null
      ? take(api.GET('/api/reports', { params: { query: alongside }, signal }))
      : { items: [], next: null },
  ])
  return {
    rows: cases.items.map((row) => ofInvestigation(row, null)),
    next: cases.next ?? null,
    reports: reports.items,
    reportsNext: reports.next ?? null,
  }
}

async function alerts(filters: Filters, { after }: PageStart, signal: AbortSignal): Promise<Page> {
  const query = {
    limit: ROWS_MAX,
    ...(filters.severity !== null && { severity: filters.severity }),
    ...(filters.status !== null && { status: filters.status as Schemas['AlertState'] }),
    ...(filters.user !== null && { user_id: filters.user }),
    ...(after !== null && { after }),
  }
  const { items, next } = await take(api.GET('/api/alerts', { params: { query }, signal }))
  return { rows: items.map(ofAlert), next: next ?? null, reports: [], reportsNext: null }
}

function ofInvestigation(row: Schemas['InvestigationRow'], report: Schemas['ReportRow'] | null): QueueEntry {
  return {
    id: row.investigation_id,
    seq: row.seq,
    href: `/investigations/${row.investigation_id}`,
    severity: row.severity,
    score: row.risk_score,
    userId: row.user_id,
    alertId: row.alert_id,
    at: row.created_at,
    state: row.status,
    assignedTo: row.assigned_to ?? null,
    reportId: row.report_id ?? null,
    report,
    signals: row.signals,
  }
}

/** A low alert has no investigation, so its row links to its event. */
function ofAlert(alert: Schemas['AlertRow']): QueueEntry {
  const { investigation_id } = alert
  return {
    id: alert.alert_id,
    seq: alert.seq,
    href: investigation_id ? `/investigations/${investigation_id}` : `/ledger/${alert.event_id}`,
    severity: alert.severity,
    score: alert.score,
    userId: alert.user_id,
    alertId: alert.alert_id,
    at: alert.created_at,
    state: alert.status,
    assignedTo: null,
    reportId: null,
    report: null,
    signals: alert.metadata?.signals,
  }
}

/** Joins the pages without duplicates and adds the reports that were fetched along with them. */
function joinPages(pages: Page[]): QueueEntry[] {
  const reports = new Map(pages.flatMap(({ reports }) => reports).map((report) => [report.id, report]))
  const rows = new Map<string, QueueEntry>()
  for (const row of pages.flatMap(({ rows }) => rows)) {
    const report = row.report ?? (row.reportId === null ? null : (reports.get(row.reportId) ?? null))
    if (!rows.has(row.id)) rows.set(row.id, report === row.report ? row : { ...row, report })
  }
  return [...rows.values()]
}

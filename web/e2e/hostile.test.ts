// Hostile strings in every field that reaches the screen: none is executed or becomes an element, and the layout holds.
import type { Page } from 'playwright-core'
import { beforeAll } from 'vitest'
import { assignAndClose, fillAlerts, fillKeys, fillLogs, fillTransactions, type Logged } from './hostile/fill.ts'
import { harm } from './hostile/harm.ts'
import { HOSTILE } from './hostile/strings.ts'
import type { Case } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { goTo, settled } from './stage/settled.ts'
import { expect, test } from './stage/visit.ts'
import { workerForFile } from './stage/worker.ts'

const worker = workerForFile()
const program = programForFile({ env: () => worker.env('WORKER') })
const FILLING_MS_MAX = 300_000
const WALKING_MS_MAX = 300_000
const URL_CHARS_MAX = 6_000
const WIDTHS = [1440, 390]

let logs: Logged[] = []
let cases: Case[] = []
let alerts: string[] = []

beforeAll(async () => {
  logs = await fillLogs(program, worker)
  expect(await fillTransactions(program)).toBeGreaterThan(1_000)
  alerts = await fillAlerts(program)
  cases = await assignAndClose(program, alerts)
  expect(await fillKeys(program)).toBeGreaterThan(150)
}, FILLING_MS_MAX)

test('there are at least 200 strings, and the server accepts most of them', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200)
  expect(logs.length).toBeGreaterThan(200)
  expect(cases.length).toBeGreaterThan(200)
})

/** Visits the pages in one browser, wide and narrow, and returns all the harm found. `ready` waits for the content. */
async function walk(page: Page, paths: string[], ready: (page: Page, n: number) => Promise<void> = settled) {
  const found: string[] = []
  await settled(page)
  for (const [n, path] of paths.entries()) {
    await goTo(page, path)
    await ready(page, n)
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      found.push(...(await harm(page)))
    }
  }
  return found
}

test('no harm in lists', async ({ visit }) => {
  const { page } = await visit(program)
  const lists = ['waiting', 'all', 'decided', 'alerts'].map((list) => `/investigations?show=${list}`)
  expect(await walk(page, ['/', ...lists, '/agents', '/ledger', '/settings'])).toEqual([])
})

test('no harm in queries and answers, which are shown in full', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
  const { page } = await visit(program)
  const paths = logs.map(({ id }) => `/?log=${id}`)
  const waitForText = (_: Page, n: number) => waitUntilShownTwice(page, logs[n]?.text ?? '')
  expect(await walk(page, paths, waitForText)).toEqual([])
})

/** Waits until the text is shown twice: in the question and in the answer. */
async function waitUntilShownTwice(page: Page, text: string) {
  await page.waitForFunction((text) => {
    const shown = document.querySelector('[role=dialog]')?.textContent ?? ''
    return shown.split(text).length > 2
  }, text)
}

test('no harm in transactions, signals, comments and assignees', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
  const { page } = await visit(program)
  expect(
    await walk(
      page,
      cases.map(({ investigation }) => `/investigations/${investigation}`),
    ),
  ).toEqual([])
})

test('no harm in reports, with all panels open', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
  const { page } = await visit(program)
  expect(
    await walk(
      page,
      cases.map(({ report }) => `/reports/${report}`),
      openAllPanels,
    ),
  ).toEqual([])
})

test('no harm in events of the log', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
  const { page } = await visit(program)
  const events = alerts.map((id) => program.get<{ event_id: string }>(`/api/alerts/${id}`))
  expect(
    await walk(
      page,
      (await Promise.all(events)).map(({ event_id }) => `/ledger/${event_id}`),
    ),
  ).toEqual([])
})

test('no harm in addresses', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  const texts = HOSTILE.map((text) => encodeURIComponent(text)).filter((text) => text.length < URL_CHARS_MAX)
  expect(texts.length).toBeGreaterThanOrEqual(200)
  expect(
    await walk(
      page,
      texts.map((text, n) => (ADDRESSES[n % ADDRESSES.length] as Address)(text)),
    ),
  ).toEqual([])
})

type Address = (text: string) => string
const ADDRESSES: Address[] = [
  (text) => `/?q=${text}&status=${text}&min_score=${text}&from=${text}`,
  (text) => `/?log=${text}`,
  (text) => `/investigations?show=all&user_id=${text}&severity=${text}&status=${text}`,
  (text) => `/investigations/${text}`,
  (text) => `/reports/${text}`,
  (text) => `/ledger?type=${text}&correlation=${text}`,
  (text) => `/ledger/${text}`,
  (text) => `/agents?letters=${text}`,
  (text) => `/settings?q=${text}`,
]

async function openAllPanels(page: Page) {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true
  })
  await settled(page)
}

// Hostile strings through every field that reaches the screen: none executes, none becomes an element, the layout holds.
import type { Page } from 'playwright-core'
import { beforeAll, describe } from 'vitest'
import { decideWith, fillAlerts, fillKeys, fillLogs, fillTransactions } from './hostile/fill.ts'
import { harm } from './hostile/harm.ts'
import { HOSTILE } from './hostile/strings.ts'
import type { Case } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { goTo, settled } from './stage/settled.ts'
import { expect, test } from './stage/visit.ts'
import { workerForFile } from './stage/worker.ts'

const worker = workerForFile()
const program = programForFile({ env: worker.env })
const FILLING_MS_MAX = 300_000
const WALKING_MS_MAX = 300_000
const URL_CHARS_MAX = 6_000

let logs: string[] = []
let cases: Case[] = []
let alerts: string[] = []

beforeAll(async () => {
  logs = await fillLogs(program, worker)
  expect(await fillTransactions(program)).toBeGreaterThan(1_000)
  alerts = await fillAlerts(program)
  cases = await decideWith(program, alerts)
  expect(await fillKeys(program)).toBeGreaterThan(150)
}, FILLING_MS_MAX)

test('there are at least 200 different ones, and the server takes most of them', () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(200)
  expect(logs.length).toBeGreaterThan(200)
  expect(cases.length).toBeGreaterThan(200)
})

describe.each([1440, 390])('at %d px', (width) => {
  /** Walks through the pages in one browser, and tells all the harm that was found on the way. */
  async function walk(page: Page, paths: string[]): Promise<string[]> {
    const found: string[] = []
    for (const path of paths) {
      await goTo(page, path)
      found.push(...(await harm(page)))
    }
    return found
  }

  test('the lists', async ({ visit }) => {
    const { page } = await visit(program, '/', { width })
    await settled(page)
    const lists = ['waiting', 'all', 'decided', 'alerts'].map((list) => `/investigations?show=${list}`)
    expect(await walk(page, ['/', ...lists, '/agents', '/ledger', '/settings'])).toEqual([])
  })

  test('every query and answer, with its marks', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
    const { page } = await visit(program, '/', { width })
    await settled(page)
    expect(
      await walk(
        page,
        logs.map((id) => `/?log=${id}`),
      ),
    ).toEqual([])
  })

  test('every investigation, with its purchases, signals, comments and whoever has it', {
    timeout: WALKING_MS_MAX,
  }, async ({ visit }) => {
    const { page } = await visit(program, '/', { width })
    await settled(page)
    expect(
      await walk(
        page,
        cases.map(({ investigation }) => `/investigations/${investigation}`),
      ),
    ).toEqual([])
  })

  test('every report, folded out', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
    const { page } = await visit(program, '/', { width })
    await settled(page)
    const found: string[] = []
    for (const { report } of cases) {
      await goTo(page, `/reports/${report}`)
      await foldOut(page)
      found.push(...(await harm(page)))
    }
    expect(found).toEqual([])
  })

  test('every alert as an event of the log', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
    const events: string[] = []
    for (const id of alerts) {
      events.push((await program.get<{ event_id: string }>(`/api/alerts/${id}`)).event_id)
    }
    const { page } = await visit(program, '/', { width })
    await settled(page)
    expect(
      await walk(
        page,
        events.map((id) => `/ledger/${id}`),
      ),
    ).toEqual([])
  })

  test('every address', { timeout: WALKING_MS_MAX }, async ({ visit }) => {
    const { page } = await visit(program, '/', { width, requestsMayFail: true })
    await settled(page)
    const texts = HOSTILE.map((text) => encodeURIComponent(text)).filter((text) => text.length < URL_CHARS_MAX)
    expect(texts.length).toBeGreaterThanOrEqual(200)
    expect(
      await walk(
        page,
        texts.map((text, n) => (ADDRESSES[n % ADDRESSES.length] as Address)(text)),
      ),
    ).toEqual([])
  })
})

type Address = (text: string) => string
const ADDRESSES: Address[] = [
  (text) => `/?q=${text}&status=${text}&min_score=${text}&from=${text}`,
  (text) => `/?log=${text}`,
  (text) => `/investigations?show=all&user_id=${text}&severity=${text}&status=${text}`,
  (text) => `/investigations/${text}`,
  (text) => `/reports/${text}`,
  (text) => `/ledger?type=${text}&correlation_id=${text}`,
  (text) => `/ledger/${text}`,
  (text) => `/agents?letters=${text}`,
  (text) => `/settings?q=${text}`,
]

async function foldOut(page: Page) {
  await page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true
  })
  await settled(page)
}

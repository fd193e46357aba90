// Takes a picture of every page of the demo, wide and narrow, light and dark, in `screenshots/`, and two for the README.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, describe, vi } from 'vitest'
import { WEB } from './stage/places.ts'
import { type Program, programForFile } from './stage/program.ts'
import { settled } from './stage/settled.ts'
import { connected } from './stage/sign-in.ts'
import { test } from './stage/visit.ts'

const FOLDER = join(WEB, 'screenshots')
/** The pictures in the README are small, because they are viewed on any screen and are part of every clone. */
const SMALL = { width: 1280, height: 800, quality: 82 }
const LOGS_WANTED = 25

const demo = programForFile({ command: ['demo', '--seed', '7', '--rate', '8'] })
const guarded = programForFile({ keysRequired: true })

interface Items<Item> {
  items: Item[]
}

const shown = { log: '', investigation: '', report: '', event: '' }

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true })
  await vi.waitFor(findWhatToShow, { timeout: 240_000, interval: 1_000 })
}, 250_000)

/** Throws until the demo has produced enough content. */
async function findWhatToShow() {
  const all = await demo.get<Items<unknown>>(`/api/logs?limit=${LOGS_WANTED}`)
  if (all.items.length < LOGS_WANTED) throw new Error('there are too few answers yet')
  const risky = await demo.get<Items<{ id: string }>>('/api/logs?min_score=1&limit=1')
  const open = await demo.get<Items<{ investigation: { investigation_id: string }; report: { id: string } }>>(
    '/api/reviews?status=open&limit=1',
  )
  const written = await demo.get<Items<{ event_id: string }>>('/api/events?type=REPORT_GENERATED&limit=1')
  const [log, review, event] = [risky.items[0], open.items[0], written.items[0]]
  if (!log || !review || !event) throw new Error('the demo has nothing to show yet')
  shown.log = log.id
  shown.investigation = review.investigation.investigation_id
  shown.report = review.report.id
  shown.event = event.event_id
}

const PAGES: [name: string, path: () => string][] = [
  ['live', () => '/'],
  ['answer', () => `/?log=${shown.log}`],
  ['investigations', () => '/investigations'],
  ['investigation', () => `/investigations/${shown.investigation}`],
  ['report', () => `/reports/${shown.report}`],
  ['agents', () => '/agents'],
  ['ledger', () => '/ledger'],
  ['event', () => `/ledger/${shown.event}`],
  ['settings', () => '/settings'],
]

describe.each(['light', 'dark'] as const)('%s', (theme) => {
  describe.each([
    [1440, 900],
    [390, 844],
  ])('%d px wide', (width, height) => {
    test.for(PAGES)('%s', async ([name, path], { visit }) => {
      const { page } = await visit(demo, path(), { width, height, theme })
      await connected(page)
      await settled(page)
      await page.screenshot({ path: join(FOLDER, `${name}-${width}-${theme}.png`) })
    })

    test('sign-in', async ({ visit }) => {
      const { page } = await visit(guarded, '/', { width, height, theme })
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
      await page.screenshot({ path: join(FOLDER, `sign-in-${width}-${theme}.png`) })
    })
  })
})

test('for the README', async ({ visit }) => {
  const small = async (program: Program, path: string, theme: 'light' | 'dark', name: string) => {
    const { page } = await visit(program, path, { ...SMALL, theme })
    await connected(page)
    await settled(page)
    writeFileSync(join(FOLDER, name), await webp(page))
  }
  await small(demo, '/', 'light', 'live.webp')
  await small(demo, `/reports/${shown.report}`, 'dark', 'report.webp')
})

async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: SMALL.quality })
  return Buffer.from(data, 'base64')
}

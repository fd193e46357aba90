// The server dies and comes back: people are told, nothing is missed, nothing is doubled.
import type { Page } from 'playwright-core'
import { programForFile } from './stage/program.ts'
import { settled } from './stage/settled.ts'
import { connected } from './stage/sign-in.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

async function make(...queries: string[]) {
  for (const user_query of queries) await program.post('/process-agent', { user_query })
}

/** The questions of all rows on the page, newest first. */
function questions(page: Page): Promise<string[]> {
  return page.getByRole('table').getByRole('link').allTextContents()
}

test('rows made while the page was cut off appear once, in their order', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await make('before 1', 'before 2')
  await expect.poll(() => questions(page)).toEqual(['before 2', 'before 1'])

  await program.kill()
  await page.locator('[data-connection=disconnected]').waitFor()
  await page.getByText('disconnected').waitFor()
  // What was read stays readable.
  expect(await questions(page)).toEqual(['before 2', 'before 1'])

  await program.start({ hidden: true })
  await make('missed 1', 'missed 2', 'missed 3')
  await program.kill()
  await program.start()
  await connected(page)
  await settled(page)
  await make('after 1')
  const all = ['after 1', 'missed 3', 'missed 2', 'missed 1', 'before 2', 'before 1']
  await expect.poll(() => questions(page)).toEqual(all)
  await page.reload()
  await expect.poll(() => questions(page)).toEqual(all)
})

test('after repeated failures a button reconnects at once', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  expect(await page.getByRole('button', { name: 'Reconnect' }).count()).toBe(0)
  await program.kill()
  const button = page.getByRole('button', { name: 'Reconnect' })
  await button.waitFor()
  // The page itself would come back only after this.
  await page.getByText(/again in [5-9] s|again in \d\d s/).waitFor({ timeout: 60_000 })
  await program.start()
  await button.click()
  await page.locator('[data-connection=connected]').waitFor({ timeout: 3_000 })
  await button.waitFor({ state: 'detached' })
})

test('a question to a server that is gone says so', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await program.kill()
  await page.getByLabel('Question for the worker').fill('Is anybody there?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Unable to connect to server').waitFor()
  await program.start()
})

test('a part of the page that was on its way when the server went away is there once it is back', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await program.kill()
  await page.getByRole('link', { name: 'Ledger' }).click()
  await page.locator('[data-connection=disconnected]').waitFor()
  await program.start()
  await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/ledger')
})

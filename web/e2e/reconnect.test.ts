// The server dies and comes back: the page says so, and no row is lost or duplicated.
import type { Page } from 'playwright-core'
import { programForFile } from './stage/program.ts'
import { settled } from './stage/settled.ts'
import { connected } from './stage/sign-in.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

async function ask(...queries: string[]) {
  for (const user_query of queries) await program.post('/process-agent', { user_query })
}

/** The questions of all rows on the page, newest first. */
function questions(page: Page): Promise<string[]> {
  return page.getByRole('table').getByRole('link').allTextContents()
}

test('rows recorded while the page was disconnected appear once and in order', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await ask('before 1', 'before 2')
  await expect.poll(() => questions(page)).toEqual(['before 2', 'before 1'])

  await program.kill()
  await page.locator('[data-connection=disconnected]').waitFor()
  await page.getByText('Disconnected').waitFor()
  // Rows that were loaded stay on the page.
  expect(await questions(page)).toEqual(['before 2', 'before 1'])

  await program.start({ hidden: true })
  await ask('missed 1', 'missed 2', 'missed 3')
  await program.kill()
  await program.start()
  await connected(page)
  await settled(page)
  await ask('after 1')
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
  // Wait for a long retry delay, so that only the button can explain a quick reconnection.
  await page.getByText(/Retrying in [5-9] s|Retrying in \d\d s/).waitFor({ timeout: 60_000 })
  await program.start()
  await button.click()
  await page.locator('[data-connection=connected]').waitFor({ timeout: 3_000 })
  await button.waitFor({ state: 'detached' })
})

test('a question to an unreachable server shows an error', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await program.kill()
  await page.getByLabel('Question for the model').fill('Is anybody there?')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Unable to connect to server').waitFor()
  await program.start()
})

test('a page whose code was being fetched when the server died loads once the server is back', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await connected(page)
  await settled(page)
  await program.kill()
  await page.getByRole('link', { name: 'Ledger', exact: true }).click()
  await page.locator('[data-connection=disconnected]').waitFor()
  await program.start()
  await page.getByRole('heading', { name: 'Ledger', exact: true }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/ledger')
})

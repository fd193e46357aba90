// The log checked in the browser: true as it is, and caught where an answer was altered.
import type { Page, Route } from 'playwright-core'
import { beforeAll } from 'vitest'
import { caseInReview } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

beforeAll(async () => {
  await caseInReview(program, 'alert-on-the-ledger')
})

async function verify(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Verify in this browser' }).click()
  const outcome = page.locator('[data-verified]')
  await outcome.waitFor()
  return (await outcome.getAttribute('data-verified')) ?? ''
}

test('the real log is verified in the browser', async ({ visit }) => {
  const { page } = await visit(program, '/ledger')
  expect(await verify(page)).toBe('true')
})

test('one altered leaf makes the verification fail', async ({ visit }) => {
  const { page } = await visit(program, '/ledger')
  await page.route('**/api/ledger/leaves?*', alterOneLeaf)
  expect(await verify(page)).toBe('false')
})

async function alterOneLeaf(route: Route) {
  const answer = await route.fetch()
  const leaves = (await answer.json()) as { items: { index: number; header: string }[] }
  const [leaf] = leaves.items
  if (leaf !== undefined) leaf.header = leaf.header.replace('"api"', '"apj"').replace('producer', 'produced')
  await route.fulfill({ response: answer, json: leaves })
}

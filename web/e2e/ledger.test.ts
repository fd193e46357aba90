// The log verified in the browser: the real log verifies, and an altered response is detected.
import type { Locator, Page, Route } from 'playwright-core'
import { beforeAll } from 'vitest'
import { caseInReview } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

beforeAll(async () => {
  await caseInReview(program, 'alert-on-the-ledger')
})

async function verify(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Verify the log' }).click()
  return page.getByRole('region', { name: 'Verify in this browser' })
}

test('the real log is verified in the browser', async ({ visit }) => {
  const { page } = await visit(program, '/ledger')
  const panel = await verify(page)
  await panel.getByText(/All \d+ leaves verify/).waitFor()
})

test('one altered leaf makes the verification fail', async ({ visit }) => {
  const { page } = await visit(program, '/ledger')
  await page.route('**/api/ledger/leaves?*', alterOneLeaf)
  const panel = await verify(page)
  await panel.getByText('The log does not verify').waitFor()
  expect(await panel.getByText(/leaves verify/).count()).toBe(0)
})

test('one event is proven step by step, and an altered one is not', async ({ visit }) => {
  const { items } = await program.get<{ items: { event_id: string }[] }>('/api/events?type=REPORT_GENERATED')
  const { page } = await visit(program, `/ledger/${items[0]?.event_id}`)
  const proof = page.getByRole('region', { name: /^Proof/ })
  await proof.getByText('Verified', { exact: true }).waitFor()
  await page.route('**/api/ledger/leaf/*', alterThePayload)
  await page.reload()
  await proof.getByText('Does not verify', { exact: true }).waitFor()
})

async function alterOneLeaf(route: Route) {
  const answer = await route.fetch()
  const leaves = (await answer.json()) as { items: { index: number; header: string }[] }
  const [, leaf] = leaves.items
  if (leaf !== undefined) leaf.header = leaf.header.replace('"producer":"', '"producer":"x')
  await route.fulfill({ response: answer, json: leaves })
}

async function alterThePayload(route: Route) {
  const answer = await route.fetch()
  const leaf = (await answer.json()) as { payload_json: string }
  await route.fulfill({ response: answer, json: { ...leaf, payload_json: leaf.payload_json.replace('{', '{ ') } })
}

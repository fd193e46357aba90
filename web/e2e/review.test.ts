// An external alert becomes a report that reviewers decide on: four-eyes review, in two browsers at once.
import type { Page } from 'playwright-core'
import { alert, caseInReview, caseWithRequestedReport, purchases } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { enter } from './stage/sign-in.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile({ keysRequired: true })

test('an alert posted to the API appears in the queue, and its investigation and report open', async ({ visit }) => {
  const { page } = await visit(program, '/investigations')
  await enter(page, program.createKey('investigator', 'Ana').key)
  const posted = purchases('user-4412')
  await program.post('/api/transactions', posted)
  await program.post('/api/alerts', alert('alert-from-outside', 'user-4412', posted.at(-1)?.transaction_id))

  await page
    .getByRole('row', { name: /\*\*\*4412 The customer made 14 transactions in one hour/ })
    .getByRole('link')
    .click()
  await page.waitForURL(/\/investigations\/[0-9a-f-]{36}$/)
  await page.getByText('14 transactions in one hour').first().waitFor()
  await page
    .getByRole('link', { name: /report/i })
    .first()
    .click()
  await page.waitForURL(/\/reports\/[0-9a-f-]{36}/)
  await page.getByRole('heading', { name: 'Executive summary' }).waitFor()
})

test('a figure in a report shows its fact, with the pointer and with the keyboard', async ({ visit }) => {
  const { report } = await caseInReview(program, 'alert-with-facts', 'user-9001')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('viewer', 'Vera').key)
  const facts = await program.get<{ items: { text: string; path: string; value: unknown }[] }>(
    `/api/reports/${report}/facts`,
  )
  const amount = facts.items.find(({ text }) => text.includes('2,480'))
  if (amount === undefined) throw new Error('the report does not mention the amount')

  const figure = page.locator(`[data-fact="${amount.path}"]`).first()
  await figure.hover()
  await page.getByText(/^From the record: /).waitFor()
  expect(await page.getByRole('dialog').textContent()).toContain('EUR 2,480.00')
  await page.mouse.move(0, 0)
  await page.getByText(/^From the record: /).waitFor({ state: 'detached' })

  await page.locator('[data-section]').first().focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.hasAttribute('data-fact'))).toBe(true)
  await page.getByText(/^From the record: /).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(/^From the record: /).waitFor({ state: 'detached' })
})

test('a reviewer approves, and another browser shows it at once', async ({ visit }) => {
  const { report } = await caseInReview(program, 'alert-to-approve', 'user-5005')
  const { page: reviewing } = await visit(program, `/reports/${report}`)
  await enter(reviewing, program.createKey('reviewer', 'Rui').key)
  const { page: looking } = await visit(program, `/reports/${report}`)
  await enter(looking, program.createKey('investigator', 'Ines').key)
  await looking.getByText('Waiting for review').first().waitFor()
  expect(await looking.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  await reviewing.getByRole('button', { name: 'Approve', exact: true }).click()
  const question = reviewing.getByRole('dialog')
  await question.getByRole('textbox').fill('The evidence holds.')
  await question.getByRole('button', { name: 'Approve', exact: true }).click()
  for (const page of [reviewing, looking]) {
    await page.getByText('Approved', { exact: true }).first().waitFor()
    await page.getByText(/Rui approved it/).waitFor()
  }
  expect(await statusOf(report)).toBe('approved')
})

test('closing a case needs a reason', async ({ visit }) => {
  const { report } = await caseInReview(program, 'alert-to-dispose', 'user-6006')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('reviewer', 'Rosa').key)
  await page.getByRole('button', { name: 'Close case…', exact: true }).click()
  const question = page.getByRole('dialog')
  const submit = question.getByRole('button', { name: 'Close case', exact: true })
  expect(await submit.isDisabled()).toBe(true)
  await question.getByRole('textbox').fill('The customer was travelling.')
  await submit.click()
  await page.getByText('Closed', { exact: true }).first().waitFor()
})

test('the requester of a report is told that someone else must approve it', async ({ visit }) => {
  const { key } = program.createKey('reviewer', 'Rita')
  const { report } = await caseWithRequestedReport(program, key, 'alert-four-eyes', 'user-7007')
  const { page } = await visit(program, `/reports/${report}`, { requestsMayFail: true })
  await enter(page, key)
  await refusedByFourEyes(page)
  expect(await statusOf(report)).toBe('in_review')
})

async function refusedByFourEyes(page: Page) {
  await page.getByText('Four-eyes review: you requested this report').waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true)
}

async function statusOf(report: string): Promise<string | undefined> {
  return (await program.get<{ status?: string }>(`/api/reports/${report}`)).status
}

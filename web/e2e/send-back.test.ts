// A reviewer previews and sends back a report, and adds an addendum.
import { caseInReview } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { enter } from './stage/sign-in.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile({ keysRequired: true })

test('a comment is previewed, and the next version follows the preview', async ({ visit }) => {
  const { report } = await caseInReview(program, 'alert-to-send-back', 'user-8008')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('reviewer', 'Rosa').key)
  await page.getByRole('button', { name: 'Send back…' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('textbox').fill('Call the customer first.')
  await question.getByText('The built-in writer can’t act on this comment.').waitFor()
  await question.getByRole('textbox').fill('Make the timeline longer.')
  await question.getByText(/make the timeline of events longer, from \d+ to \d+ words/).waitFor()
  await question.getByRole('button', { name: 'Send back', exact: true }).click()
  await question.waitFor({ state: 'detached' })
  const hasSecondVersion = async () => {
    const { items } = await program.get<{ items: { version: number }[] }>(`/api/reports/${report}/versions`)
    return items.some(({ version }) => version === 2)
  }
  await expect.poll(hasSecondVersion, { timeout: 20_000 }).toBe(true)
})

test('an addendum is shown below the report in its author’s words', async ({ visit }) => {
  const { report } = await caseInReview(program, 'alert-with-addendum', 'user-8009')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('reviewer', 'Rui').key)
  await page.getByRole('button', { name: 'Add addendum…' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('textbox').fill('The branch says <b>stolen</b>.')
  await question.getByRole('button', { name: 'Add addendum', exact: true }).click()
  const addenda = page.getByRole('region', { name: 'Addenda' })
  await addenda.getByText('The branch says <b>stolen</b>.').waitFor()
  await addenda.getByText('Rui').waitFor()
  expect(await addenda.locator('b').count()).toBe(0)
})

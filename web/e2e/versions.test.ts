// New versions of a report: requested by a reviewer or by the report check, and written by a model that acts on their
// comments. Text that the fact check rejects never reaches a version.
import type { Page } from 'playwright-core'
import { caseInReview, caseWithRequestedReport } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { enter } from './stage/sign-in.ts'
import { expect, test, type Visit } from './stage/visit.ts'
import { workerForFile } from './stage/worker.ts'

const model = workerForFile()
const program = programForFile({ keysRequired: true, env: () => model.env('WRITER', 'SUPERVISOR') })

/** Too short for any section, but long enough to count as the model's text. The program pads it with facts. */
const PAID = [
  'The customer paid EUR 2,480.00 with the card.',
  'With a risk score of 91 out of 100, the case fell into the band from 80 to 100 and was classified as CRITICAL.',
  'The sender set both score and severity, and the record kept them unchanged.',
  'The record did not state whether the transaction was completed or attempted.',
  'The record did not state when the account was opened.',
].join(' ')
const PLACED = 'The payment was made in Lisbon.'
const CAUSED = 'The reason for the alert was velocity anomaly: a value of 14 exceeded the threshold of 5.'

const SOUND = { issues: [], feedback: 'Sound.', justification_strength: 'strong' }
const DOUBT = {
  issues: [
    {
      type: 'weak_justification',
      severity: 'high',
      section: 'risk_justification',
      description: 'The cause is not linked to the effect.',
    },
  ],
  feedback: 'Name the cause first.',
  justification_strength: 'adequate',
}

type Judges = (report: string) => typeof SOUND | typeof DOUBT
type Writes = (asked: string, section: string) => string

function roles(writes: Writes, judges: Judges = () => SOUND) {
  model.says = (query, system) =>
    system.includes('quality assurance supervisor') ? JSON.stringify(judges(query)) : writes(query, system)
}

/** Adds a sentence once the prompt asks for it, and keeps it in later attempts. */
function takingUp(wish: string, more: string): Writes {
  return (asked) => (asked.includes(wish) || asked.includes(more) ? `${more} ${PAID}` : PAID)
}

/** Waits until the other version has been read and the difference is shown. */
async function compareWith(page: Page, version: string) {
  await page.getByLabel('Compare with').selectOption({ label: version })
  await page.getByText(/^From version 1 to version 2\./).waitFor()
}

function changesIn(page: Page, section: string) {
  return page.getByRole('region', { name: `Changes in ${section}` })
}

async function pointsToAFact(page: Page) {
  await page.locator('[data-fact]').first().hover()
  await page.getByText(/^From the record: /).waitFor()
  await page.mouse.move(0, 0)
  await page.getByText(/^From the record: /).waitFor({ state: 'detached' })
}

test('a report that is sent back gets a new version, and the reviewer sees both and their differences', async ({
  visit,
}) => {
  roles(takingUp('Say where it was paid.', PLACED))
  const asking = program.createKey('reviewer', 'Ana').key
  const { report } = await caseWithRequestedReport(program, asking, 'alert-to-send-back', 'user-3003')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('reviewer', 'Rui').key)
  await page.getByText('Version 1, shown here').waitFor()

  await page.getByRole('button', { name: 'Send back…' }).click()
  const question = page.getByRole('dialog')
  await question.getByRole('textbox').fill('Say where it was paid.')
  await question.getByRole('button', { name: 'Send back', exact: true }).click()

  // The page updates without a reload.
  const second = page.getByRole('status').getByRole('link', { name: 'version 2' })
  await second.waitFor()
  await page.getByText(/Rui sent it back/).waitFor()
  await page.getByText(/: Say where it was paid\./).waitFor()
  await second.click()
  await page.getByRole('heading', { name: 'Report, version 2' }).waitFor()
  await page.getByText('Version 2, shown here').waitFor()
  await page.getByRole('link', { name: 'Version 1', exact: true }).waitFor()
  await page.getByText(PLACED).first().waitFor()

  await compareWith(page, 'version 1')
  const added = await changesIn(page, 'Executive summary').locator('ins').allTextContents()
  expect(added.join(' ')).toContain('payment was made in Lisbon.')
  await pointsToAFact(page)
  await fourEyes(visit, asking, page)
})

/** The requester of the first version can't approve the second; the reviewer who sent it back can. */
async function fourEyes(visit: Visit, asking: string, reviewing: Page) {
  const { page } = await visit(program, new URL(reviewing.url()).pathname)
  await enter(page, asking)
  await page.getByText('Four-eyes review: you requested this report').waitFor()
  await reviewing.getByRole('button', { name: 'Approve', exact: true }).click()
  await reviewing.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText(/Rui approved it/).waitFor()
}

test('a report that fails the report check gets a new version, and each version has its own verdict', async ({
  visit,
}) => {
  roles(takingUp('Name the cause first.', CAUSED), (report) => (report.includes(CAUSED) ? SOUND : DOUBT))
  const { investigation } = await caseInReview(program, 'alert-to-mend', 'user-4004')
  const { page } = await visit(program, `/investigations/${investigation}`)
  await enter(page, program.createKey('viewer', 'Vera').key)
  // The second version may be written after the page is opened, and appears without a reload.
  await page.getByRole('heading', { name: 'Report, version 2' }).waitFor()
  await page.getByRole('link', { name: 'Read the report' }).click()
  await page.getByRole('heading', { name: 'Report check passed CRITICAL Report, version 2' }).waitFor()
  await page.getByText('An agent, to replace version 1').waitFor()
  await compareWith(page, 'version 1')
  const added = await changesIn(page, 'Risk justification').locator('ins').allTextContents()
  expect(added.join(' ')).toContain('reason for the alert was velocity anomaly')
  await pointsToAFact(page)

  await page.getByRole('link', { name: 'Version 1', exact: true }).click()
  await page.getByRole('heading', { name: 'Needs review CRITICAL Report, version 1' }).waitFor()
  const beside = page.getByRole('complementary', { name: 'About Risk justification' })
  await beside.getByText('The cause is not linked to the effect.').waitFor()
  await beside.getByText('High issue').waitFor()
  await page.getByRole('row', { name: /^−10 model remark: Risk justification/ }).waitFor()
  await page.getByText(/Name the cause first\./).waitFor({ state: 'attached' })
})

test("invented facts are rejected before the report check, and the built-in writer's text is used instead", async ({
  visit,
}) => {
  const invented = 'The customer paid EUR 999,999.00 in Atlantis.'
  roles((_, section) => (section.includes('writing an executive summary') ? invented : PAID))
  const { report } = await caseInReview(program, 'alert-with-inventions', 'user-5005')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('viewer', 'Vito').key)
  const beside = page.getByRole('complementary', { name: 'About Executive summary' })
  await beside.getByText('Written by the built-in writer, because no text of groq/scripted could be used').waitFor()
  await beside.getByText('3 rejected texts').click()
  expect(await beside.getByText(/^no fact supports /).count()).toBe(3)
  await beside.getByText('Medium issue').waitFor()
  await page.getByRole('row', { name: /^−5 fallback used: Executive summary/ }).waitFor()
  expect(await page.locator('main').textContent()).not.toMatch(/999,999|Atlantis/)
  // It passed the report check, so no second version was requested.
  await page.getByText('Version 1, shown here').waitFor()
  expect(await page.getByLabel('Compare with').count()).toBe(0)
})

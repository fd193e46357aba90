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
const SHORT_TEXT = [
  'The customer paid EUR 2,480.00 with the card.',
  'With a risk score of 91 out of 100, the case fell into the band from 80 to 100 and was classified as CRITICAL.',
  'The sender set both score and severity, and the record kept them unchanged.',
  'The record did not state whether the transaction was completed or attempted.',
  'The record did not state when the account was opened.',
].join(' ')
const PLACE_SENTENCE = 'The payment was made in Lisbon.'
const CAUSE_SENTENCE = 'The reason for the alert was velocity anomaly: a value of 14 exceeded the threshold of 5.'

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

type Judge = (report: string) => typeof SOUND | typeof DOUBT
/** Returns the model's text for a section, given the user prompt and the system prompt. */
type Write = (prompt: string, system: string) => string

/** Scripts the model as the writer and as the report check. */
function scriptModel(write: Write, judge: Judge = () => SOUND) {
  model.says = (query, system) =>
    system.includes('quality assurance supervisor') ? JSON.stringify(judge(query)) : write(query, system)
}

/** Adds the sentence once the prompt contains the request for it, and keeps it in later attempts. */
function addingOnRequest(request: string, sentence: string): Write {
  return (prompt) => (prompt.includes(request) || prompt.includes(sentence) ? `${sentence} ${SHORT_TEXT}` : SHORT_TEXT)
}

/** Selects the version to compare with, and waits until the differences are shown. */
async function compareWith(page: Page, version: string) {
  await page.getByLabel('Compare with').selectOption({ label: version })
  await page.getByText(/^From version 1 to version 2\./).waitFor()
}

function changesIn(page: Page, section: string) {
  return page.getByRole('region', { name: `Changes in ${section}` })
}

async function checkFactOnHover(page: Page) {
  await page.locator('[data-fact]').first().hover()
  await page.getByText(/^From the record: /).waitFor()
  await page.mouse.move(0, 0)
  await page.getByText(/^From the record: /).waitFor({ state: 'detached' })
}

test('a report that is sent back gets a new version, and the reviewer sees both and their differences', async ({
  visit,
}) => {
  scriptModel(addingOnRequest('Say where it was paid.', PLACE_SENTENCE))
  const requesterKey = program.createKey('reviewer', 'Ana').key
  const { report } = await caseWithRequestedReport(program, requesterKey, 'alert-to-send-back', 'user-3003')
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
  await page.getByText(PLACE_SENTENCE).first().waitFor()

  await compareWith(page, 'version 1')
  const added = await changesIn(page, 'Executive summary').locator('ins').allTextContents()
  expect(added.join(' ')).toContain('payment was made in Lisbon.')
  await checkFactOnHover(page)
  await checkFourEyes(visit, requesterKey, page)
})

/** The requester of the first version can't approve the second; the reviewer who sent it back can. */
async function checkFourEyes(visit: Visit, requesterKey: string, reviewing: Page) {
  const { page } = await visit(program, new URL(reviewing.url()).pathname)
  await enter(page, requesterKey)
  await page.getByText('Four-eyes review: you requested this report').waitFor()
  await reviewing.getByRole('button', { name: 'Approve', exact: true }).click()
  await reviewing.getByRole('dialog').getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText(/Rui approved it/).waitFor()
}

test('a report that fails the report check gets a new version, and each version has its own verdict', async ({
  visit,
}) => {
  const judge: Judge = (report) => (report.includes(CAUSE_SENTENCE) ? SOUND : DOUBT)
  scriptModel(addingOnRequest('Name the cause first.', CAUSE_SENTENCE), judge)
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
  await checkFactOnHover(page)

  await page.getByRole('link', { name: 'Version 1', exact: true }).click()
  await page.getByRole('heading', { name: 'Needs review CRITICAL Report, version 1' }).waitFor()
  const aside = page.getByRole('complementary', { name: 'About Risk justification' })
  await aside.getByText('The cause is not linked to the effect.').waitFor()
  await aside.getByText('High issue').waitFor()
  await page.getByRole('row', { name: /^−10 model remark: Risk justification/ }).waitFor()
  await page.getByText(/Name the cause first\./).waitFor({ state: 'attached' })
})

test("invented facts are rejected before the report check, and the built-in writer's text is used instead", async ({
  visit,
}) => {
  const invented = 'The customer paid EUR 999,999.00 in Atlantis.'
  scriptModel((_, system) => (system.includes('writing an executive summary') ? invented : SHORT_TEXT))
  const { report } = await caseInReview(program, 'alert-with-inventions', 'user-5005')
  const { page } = await visit(program, `/reports/${report}`)
  await enter(page, program.createKey('viewer', 'Vito').key)
  const aside = page.getByRole('complementary', { name: 'About Executive summary' })
  await aside.getByText('Written by the built-in writer, because no text of groq/scripted could be used').waitFor()
  await aside.getByText('3 rejected texts').click()
  expect(await aside.getByText(/^no fact supports /).count()).toBe(3)
  await aside.getByText('Medium issue').waitFor()
  await page.getByRole('row', { name: /^−5 fallback used: Executive summary/ }).waitFor()
  expect(await page.locator('main').textContent()).not.toMatch(/999,999|Atlantis/)
  // It passed the report check, so no second version was requested.
  await page.getByText('Version 1, shown here').waitFor()
  expect(await page.getByLabel('Compare with').count()).toBe(0)
})

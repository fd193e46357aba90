// Every point of a chart can be read as text, with the pointer and with the keyboard.
import { caseInReview } from './stage/cases.ts'
import { programForFile } from './stage/program.ts'
import { settled } from './stage/settled.ts'
import { expect, test } from './stage/visit.ts'
import { workerForFile } from './stage/worker.ts'

const worker = workerForFile()
const program = programForFile({ env: () => worker.env('WORKER') })

test('the trend tells the time, average and count of the selected point', async ({ visit }) => {
  worker.says = () => 'The card is 4111 1111 1111 1111.'
  const { log_id } = await program.post<{ log_id: string }>('/process-agent', { user_query: 'Which card?' })
  type Log = { created_at: string; audit: { risk_score: number } }
  const { created_at, audit } = await program.get<Log>(`/api/logs/${log_id}`)
  const { page } = await visit(program, '/')
  // The clock is fixed, so that the answer's hour stays the last one shown.
  await page.clock.setFixedTime(new Date(created_at))
  await page.reload()
  await settled(page)
  const text = page.getByTestId('trend-text')
  await expect.poll(() => text.textContent()).toMatch(/^1 answer, peak average /)

  const chart = page.getByRole('slider', { name: /^Average risk over time\. 1 answer/ })
  const { width = 0, height = 0 } = (await chart.boundingBox()) ?? {}
  await chart.hover({ position: { x: width / 2, y: height / 2 } })
  await expect.poll(() => text.textContent()).toMatch(/\d\d:\d\d to \d\d:\d\d: no answers$/)
  await page.mouse.move(0, 0)
  await expect.poll(() => text.textContent()).toMatch(/^1 answer/)

  await page.getByLabel('Time range', { exact: true }).selectOption('day')
  await page.getByLabel('Time range', { exact: true }).focus()
  await page.keyboard.press('Tab')
  const summary = `: average risk ${audit.risk_score}.0, 1 answer`
  await expect.poll(() => text.textContent()).toMatch(new RegExp(`^\\d\\d:00 to \\d\\d:00${summary}$`))
  expect(await chart.getAttribute('aria-valuetext')).toBe(await text.textContent())
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => text.textContent()).toMatch(/to \d\d:00: no answers$/)
  await page.keyboard.press('End')
  await expect.poll(() => text.textContent()).toContain(summary)
})

test('the arrow keys walk through the customer’s amounts, starting at the alert’s transaction', async ({ visit }) => {
  const { investigation } = await caseInReview(program, 'alert-with-amounts', 'user-8008')
  const { page } = await visit(program, `/investigations/${investigation}`)
  const chart = page.getByRole('slider', { name: /^Amounts over time\. 21 transactions/ })
  await chart.focus()
  const value = () => chart.getAttribute('aria-valuetext')
  await expect.poll(value).toMatch(/: EUR 2,480\.00 at Mercado da Ribeira \(this transaction\)$/)
  await page.keyboard.press('ArrowLeft')
  await expect.poll(value).toMatch(/: EUR 49\.50 at Mercado da Ribeira$/)
  await page.getByText(/EUR 49\.50 at Mercado da Ribeira$/).waitFor()
  await page.keyboard.press('Home')
  await expect.poll(value).toMatch(/: EUR 30\.50 at Mercado da Ribeira$/)
})

test('an agent’s last hour is described in words', async ({ visit }) => {
  const { page } = await visit(program, '/agents')
  await page
    .getByRole('img', { name: /^[\d,]+ processed in the last hour, at most [\d,]+ per minute; no failures$/ })
    .first()
    .waitFor()
})

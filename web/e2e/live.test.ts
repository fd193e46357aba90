// The live page: a question is asked, answered and audited, and its row appears in every browser.
import type { Page } from 'playwright-core'
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'
import { workerForFile } from './stage/worker.ts'

const worker = workerForFile()
const program = programForFile({ env: () => worker.env('WORKER') })

async function ask(page: Page, query: string) {
  await page.getByLabel('Question for the model').fill(query)
  await page.getByRole('button', { name: 'Send' }).click()
}

function rows(page: Page, query: string) {
  return page.getByRole('table').getByRole('link', { name: query, exact: true })
}

test('a question is answered, audited, and arrives once in every browser', async ({ visit }) => {
  worker.says = () => 'The capital of France is Paris.'
  const { page: asking } = await visit(program)
  const { page: looking } = await visit(program)
  await looking.locator('[data-connection=connected]').waitFor()
  await ask(asking, 'What is the capital of France?')
  for (const page of [asking, looking]) {
    await rows(page, 'What is the capital of France?').waitFor()
    expect(await rows(page, 'What is the capital of France?').count()).toBe(1)
    expect(await page.getByRole('row', { name: /What is the capital of France/ }).textContent()).toContain('Safe')
  }
})

test('an empty question is not sent', async ({ visit }) => {
  const { page } = await visit(program)
  await ask(page, '   ')
  await page.getByText('Please enter a query').waitFor()
})

test('a failing model shows a friendly error, and the page keeps working', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  worker.says = () => 500
  await ask(page, 'Will this fail?')
  await page.getByRole('button', { name: 'Waiting…' }).waitFor()
  await page.getByText('Server error occurred, please try again later').waitFor()
  worker.says = () => 'It works again.'
  await ask(page, 'And now?')
  await rows(page, 'And now?').waitFor()
})

test('a time-out shows a friendly error', async ({ visit }) => {
  const { page } = await visit(program, '/', { requestsMayFail: true })
  await page.route('**/process-agent', (route) => route.fulfill({ status: 504, json: { detail: 'too slow' } }))
  await ask(page, 'Is this slow?')
  await page.getByText('Request timed out, please try again').waitFor()
})

test('findings are marked at the right words after characters of any width', async ({ visit }) => {
  const answer = '😀 Ação 漢字: write to maria.silva@example.com, or pay with 4111 1111 1111 1111.'
  worker.says = () => answer
  const { page } = await visit(program)
  await ask(page, 'How do I reach Maria?')
  await rows(page, 'How do I reach Maria?').click()
  const drawer = page.getByRole('dialog')
  const marks = drawer.locator('mark')
  await marks.first().waitFor()
  const marked = await marks.allTextContents()
  expect(marked).toContain('maria.silva@example.com')
  expect(marked).toContain('4111 1111 1111 1111')
  expect(await drawer.textContent()).toContain('Flagged')
})

test('an answer’s place in the log is proven in the browser', async ({ visit }) => {
  const { log_id } = await program.post<{ log_id: string }>('/process-agent', { user_query: 'Where is this kept?' })
  const { page } = await visit(program, `/?log=${log_id}`)
  await page
    .getByRole('dialog')
    .getByText(/leaf [\d,]+ is in the signed log of [\d,]+/i)
    .waitFor()
})

test('filters are part of the address and survive a reload', async ({ visit }) => {
  worker.says = (query) => (query.includes('card') ? 'The card is 4111 1111 1111 1111.' : 'Nothing to see.')
  await program.post('/process-agent', { user_query: 'Tell me the card' })
  await program.post('/process-agent', { user_query: 'Tell me nothing' })
  const { page } = await visit(program)
  await rows(page, 'Tell me nothing').waitFor()
  await page.getByLabel('Verdict').selectOption('Flagged')
  await rows(page, 'Tell me nothing').waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('status')).toBe('Flagged')
  await page.reload()
  await rows(page, 'Tell me the card').waitFor()
  expect(await rows(page, 'Tell me nothing').count()).toBe(0)
})

test('new rows wait while the list is paused', async ({ visit }) => {
  worker.says = () => 'Nothing to see.'
  const { page } = await visit(program)
  await page.getByRole('button', { name: 'Pause' }).click()
  for (let n = 0; n < 3; n++) await program.post('/process-agent', { user_query: `While paused ${n}` })
  await page.getByRole('button', { name: '3 new' }).waitFor()
  expect(await rows(page, 'While paused 0').count()).toBe(0)
  await page.getByRole('button', { name: '3 new' }).click()
  for (let n = 0; n < 3; n++) await rows(page, `While paused ${n}`).waitFor()
})

test('a configured model is not labelled as simulated', async ({ visit }) => {
  const { page } = await visit(program)
  await page.getByLabel('Question for the model').waitFor()
  expect(await page.getByText('Simulated', { exact: true }).count()).toBe(0)
})

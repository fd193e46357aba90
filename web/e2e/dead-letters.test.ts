// Dead letters: shown with their error, and handled by a replay once the cause is fixed.
import type { Page } from 'playwright-core'
import { MirroredProject } from './stage/mirrored.ts'
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const project = new MirroredProject().forFile()
const program = programForFile({ env: project.env })

async function ask(user_query: string): Promise<string> {
  return (await program.post<{ log_id: string }>('/process-agent', { user_query })).log_id
}

/** Whether the mirror has handled every event. */
async function isDone(): Promise<boolean> {
  type Agent = { name: string; lag: number; in_flight: number }
  const { items } = await program.get<{ items: Agent[] }>('/api/agents')
  return items.some(({ name, lag, in_flight }) => name === 'mirror' && lag === 0 && in_flight === 0)
}

function timesReceived(log: string): number {
  return project.received.filter(({ id }) => id === log).length
}

async function chooseState(page: Page, label: string) {
  await page.getByLabel('State of dead letters').selectOption({ label })
}

test('an answer that another system refuses becomes a dead letter, and a replay delivers it exactly once', async ({
  visit,
}) => {
  project.refuses = ({ query }) => query.includes('too long')
  const { page } = await visit(program, '/agents')
  await page.getByText('No dead letters').waitFor()
  const fine = await ask('This one fits.')
  const refused = await ask('This one is too long for the table.')

  const replay = page.getByRole('button', { name: 'Replay “Answer audited” for mirror' })
  await replay.waitFor()
  await page.getByText("Supabase can't store this log (400, 23514)").first().waitFor()
  await page.getByText('· 1 attempt').waitFor()
  await expect.poll(isDone).toBe(true)
  expect([project.stored.has(fine), project.stored.has(refused), timesReceived(refused)]).toEqual([true, false, 1])

  project.refuses = () => false
  await replay.click()
  await page.getByRole('status', { name: 'Replays' }).getByText('Replayed successfully.').waitFor()
  await page.getByText('No dead letters').waitFor()
  await chooseState(page, 'Replayed')
  await page.getByRole('listitem').filter({ hasText: 'Answer audited' }).getByText('Replayed').waitFor()

  await expect.poll(isDone).toBe(true)
  expect([...project.stored.keys()].sort()).toEqual([fine, refused].sort())
  expect([timesReceived(fine), timesReceived(refused)], 'refused once, accepted once').toEqual([1, 2])
})

test('a replay that fails again says so, and the dead letter stays', async ({ visit }) => {
  project.refuses = ({ query }) => query.includes('never')
  const log = await ask('This one never fits.')
  const { page } = await visit(program, '/agents')
  await page.getByRole('button', { name: 'Replay “Answer audited” for mirror' }).click()
  await page
    .getByRole('status', { name: 'Replays' })
    .getByText(/Failed again after 1 more attempt\./)
    .waitFor()
  await page.getByText('· 2 attempts').waitFor()
  await expect.poll(isDone).toBe(true)
  expect([project.stored.has(log), timesReceived(log)]).toEqual([false, 2])
})

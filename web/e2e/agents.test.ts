// The agents page: agents are paused and resumed, and every browser sees it.
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

async function isPaused(name: string): Promise<boolean | undefined> {
  const { items } = await program.get<{ items: { name: string; paused: boolean }[] }>('/api/agents')
  return items.find((agent) => agent.name === name)?.paused
}

test('an agent is paused and resumed, and another browser sees it', async ({ visit }) => {
  const { page } = await visit(program, '/agents')
  const { page: other } = await visit(program, '/agents')
  await other.getByRole('button', { name: 'Pause supervisor' }).waitFor()

  await page.getByRole('button', { name: 'Pause supervisor' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByRole('button', { name: 'Resume supervisor' }).waitFor()
  expect(await isPaused('supervisor')).toBe(true)
  await other.getByRole('button', { name: 'Resume supervisor' }).waitFor()

  await other.getByRole('button', { name: 'Resume supervisor' }).click()
  await page.getByRole('button', { name: 'Pause supervisor' }).waitFor()
  expect(await isPaused('supervisor')).toBe(false)
})

test('an empty list of dead letters says so', async ({ visit }) => {
  const { page } = await visit(program, '/agents')
  await page.getByText('No dead letters').waitFor()
})

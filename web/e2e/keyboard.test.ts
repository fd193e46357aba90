// Everything by keyboard.
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

test('? tells what the keys do, and Esc closes it', async ({ visit }) => {
  const { page } = await visit(program)
  await page.getByRole('navigation').waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard' })
  await help.waitFor()
  expect(await help.getByText('Show this help').count()).toBe(1)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
})

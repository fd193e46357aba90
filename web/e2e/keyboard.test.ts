// The keyboard shortcuts.
import { beforeAll } from 'vitest'
import { programForFile } from './stage/program.ts'
import { expect, test } from './stage/visit.ts'

const program = programForFile()

beforeAll(async () => {
  for (const user_query of ['first question', 'second question', 'third question']) {
    await program.post('/process-agent', { user_query })
  }
})

test('/ searches, j and k walk the rows, Enter opens one, Esc closes it', async ({ visit }) => {
  const { page } = await visit(program)
  await page.getByRole('link', { name: 'third question' }).waitFor()
  await page.keyboard.press('j')
  await page.locator('[data-active]', { hasText: 'third question' }).waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.locator('[data-active]', { hasText: 'second question' }).waitFor()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog')
  await drawer.getByText('second question').first().waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })

  await page.keyboard.press('/')
  await page.keyboard.type('first')
  await page.getByRole('link', { name: 'third question' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'first question' }).waitFor()
  expect(new URL(page.url()).searchParams.get('q')).toBe('first')
})

test('shortcuts are ignored while typing in a field', async ({ visit }) => {
  const { page } = await visit(program)
  await page.getByLabel('Question for the model').pressSequentially('j?k/')
  expect(await page.getByLabel('Question for the model').inputValue()).toBe('j?k/')
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('? opens the list of shortcuts, and Esc closes it', async ({ visit }) => {
  const { page } = await visit(program)
  await page.getByRole('navigation').waitFor()
  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await help.waitFor()
  expect(await help.getByText('Show keyboard shortcuts').count()).toBe(1)
  await page.keyboard.press('Escape')
  await help.waitFor({ state: 'detached' })
})

import type { Page } from 'playwright-core'

export async function signIn(page: Page, key: string) {
  await page.getByLabel('Key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in and waits until the dashboard is connected. */
export async function enter(page: Page, key: string) {
  await signIn(page, key)
  await connected(page)
}

export async function connected(page: Page) {
  await page.locator('[data-connection=connected]').waitFor()
}

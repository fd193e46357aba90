import type { Page } from 'playwright-core'

/** Waits until the page has read what it shows: no shape of something that is still to come is left. */
export async function settled(page: Page) {
  await page.waitForFunction(async () => {
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    return document.querySelector('main') !== null && document.querySelector('.skeleton') === null
  })
}

/** Goes to another page as a link on the page would, without loading it anew. */
export async function goTo(page: Page, path: string) {
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await settled(page)
}

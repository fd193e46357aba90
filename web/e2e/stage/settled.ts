import type { Page } from 'playwright-core'

const STILL_FRAMES = 4

/** Waits until the page has loaded its content: no loading placeholder has been shown for several frames. */
export async function settled(page: Page) {
  await page.evaluate(async (frames) => {
    for (let still = 0; still < frames; ) {
      await new Promise(requestAnimationFrame)
      const isStill = document.querySelector('main') !== null && document.querySelector('.skeleton') === null
      still = isStill ? still + 1 : 0
    }
  }, STILL_FRAMES)
}

/** Navigates within the dashboard, without a reload. */
export async function goTo(page: Page, path: string) {
  await page.evaluate((to) => history.pushState(null, '', to), path)
  await settled(page)
}

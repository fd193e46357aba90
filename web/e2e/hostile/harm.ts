// Checks the current page for harm that untrusted text could do to it.
import type { Page } from 'playwright-core'

/** Returns an empty list if there is no harm. */
export async function harm(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    // The dashboard uses none of these in its body, so any of them must come from a text.
    const forbidden =
      'script, iframe, object, embed, base, link, meta, style, img, video, audio, template, plaintext, xmp, marquee, [srcdoc], [action], [formaction]'
    // A link with an invalid address has no protocol and leads nowhere.
    const allowed = /^(https?|mailto|):$/
    const found = [...document.body.querySelectorAll(forbidden)].map((element) => `an element: ${element.outerHTML}`)
    for (const element of document.body.querySelectorAll('*')) {
      const handler = element.getAttributeNames().find((name) => name.startsWith('on'))
      if (handler !== undefined) found.push(`a handler: ${handler} on ${element.tagName}`)
      if (element instanceof HTMLAnchorElement && element.hasAttribute('href') && !allowed.test(element.protocol)) {
        found.push(`a link: ${element.href}`)
      }
    }
    const { scrollWidth } = document.documentElement
    if (scrollWidth > innerWidth) found.push(`wider than the window: ${scrollWidth} px in ${innerWidth}`)
    return found.map((one) => `${location.pathname}${location.search}: ${one}`.slice(0, 300))
  })
}

// Opens pages and watches them: whatever a page should never do fails the test that opened it.
import {
  type Browser,
  type BrowserContext,
  type ConsoleMessage,
  chromium,
  type Page,
  type Request,
} from 'playwright-core'
import { test as base, expect, inject } from 'vitest'
import type { Program } from './program.ts'

export interface Manner {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** Another name of this machine to open the page under. */
  host?: string
  /** Where the server goes away or says no, the browser notes each failed request as an error of its own. */
  requestsMayFail?: boolean
  /** For scripts of the test's own that the page's policy would refuse. */
  bypassPolicy?: boolean
}

export interface Visitor {
  page: Page
  context: BrowserContext
}

export type Visit = (program: Program, path?: string, manner?: Manner) => Promise<Visitor>

const WAIT_MS_MAX = 20_000

let browser: Promise<Browser> | null = null

/** `visit` opens a page in a browser profile of its own, which ends with the test. */
export const test = base.extend<{ visit: Visit }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture depends on.
  visit: async ({}, use) => {
    browser ??= chromium.connect(inject('browser'))
    const contexts: BrowserContext[] = []
    const faults: string[] = []
    await use(async (program, path = '/', manner = {}) => {
      const context = await ((await browser) as Browser).newContext(options(manner))
      contexts.push(context)
      context.setDefaultTimeout(WAIT_MS_MAX)
      const page = await watched(context, program, manner, faults)
      await page.goto(originOf(program, manner) + path)
      return { page, context }
    })
    // What pages said so far has come in once each has answered. What they say of being closed, such as that a part could not
    // be fetched to the end, is no fault of theirs.
    for (const page of contexts.flatMap((context) => context.pages())) await page.title()
    const seen = [...faults]
    for (const context of contexts) await context.close()
    expect(seen).toEqual([])
  },
})

function options({ width = 1440, height = 900, theme = 'light', bypassPolicy = false }: Manner) {
  return { viewport: { width, height }, colorScheme: theme, bypassCSP: bypassPolicy, reducedMotion: 'reduce' as const }
}

async function watched(context: BrowserContext, program: Program, manner: Manner, faults: string[]): Promise<Page> {
  await context.exposeFunction('__fault', (fault: string) => faults.push(fault))
  await context.addInitScript(tellOfFaults)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (isFault(message, manner)) faults.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (isElsewhere(request, originOf(program, manner))) faults.push(`a request to another host: ${request.url()}`)
  })
  return page
}

/** Runs in the page, before anything of its own. */
function tellOfFaults() {
  const page = window as unknown as { __fault: (fault: string) => void; __hit: (what?: unknown) => void }
  page.__hit = (what) => page.__fault(`text from outside was executed: ${String(what)}`)
  window.alert = window.confirm = window.prompt = (() => page.__hit('dialog')) as never
  addEventListener('securitypolicyviolation', (event) => {
    page.__fault(`the page's policy was violated: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
  })
}

function isFault(message: ConsoleMessage, { requestsMayFail = false }: Manner): boolean {
  if (message.type() !== 'error') return false
  const isRequest = /^(Failed to load resource|WebSocket connection to)/.test(message.text())
  return !(isRequest && requestsMayFail)
}

function originOf({ url }: Program, { host }: Manner): string {
  if (host === undefined) return url
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}:${port}`
}

function isElsewhere(request: Request, own: string): boolean {
  const { protocol, origin } = new URL(request.url())
  return protocol !== 'data:' && protocol !== 'blob:' && origin !== own
}

export { expect } from 'vitest'

// Opens pages and watches them. Errors, policy violations and requests to other hosts fail the test.
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

export interface VisitOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** The host name to use instead of 127.0.0.1. */
  host?: string
  /** Allows failed requests, which the browser logs as errors, for tests in which the server stops or refuses. */
  requestsMayFail?: boolean
  /** Disables the Content-Security-Policy, so that the test can run scripts that it would block. */
  bypassPolicy?: boolean
}

export interface Visitor {
  page: Page
  context: BrowserContext
}

export type Visit = (program: Program, path?: string, options?: VisitOptions) => Promise<Visitor>

const WAIT_MS_MAX = 20_000

let browser: Promise<Browser> | null = null

/** `visit` opens a page in a fresh browser profile, which is closed with the test. */
export const test = base.extend<{ visit: Visit }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from the pattern what a fixture depends on.
  visit: async ({}, use) => {
    browser ??= chromium.connect(inject('browser'))
    const contexts: BrowserContext[] = []
    const faults: string[] = []
    await use(async (program, path = '/', options = {}) => {
      const context = await ((await browser) as Browser).newContext(contextOptions(options))
      contexts.push(context)
      context.setDefaultTimeout(WAIT_MS_MAX)
      const page = await watched(context, program, options, faults)
      await page.goto(originOf(program, options) + path)
      return { page, context }
    })
    // Once every page has responded, its earlier messages have arrived. Messages caused by closing the pages, such as aborted
    // fetches, don't count.
    for (const page of contexts.flatMap((context) => context.pages())) await page.title()
    const seen = [...faults]
    for (const context of contexts) await context.close()
    expect(seen).toEqual([])
  },
})

function contextOptions({ width = 1440, height = 900, theme = 'light', bypassPolicy = false }: VisitOptions) {
  return { viewport: { width, height }, colorScheme: theme, bypassCSP: bypassPolicy, reducedMotion: 'reduce' as const }
}

async function watched(
  context: BrowserContext,
  program: Program,
  options: VisitOptions,
  faults: string[],
): Promise<Page> {
  await context.exposeFunction('__fault', (fault: string) => faults.push(fault))
  await context.addInitScript(reportFaults)
  const page = await context.newPage()
  page.on('pageerror', (error) => faults.push(`error in the page: ${error.stack ?? error.message}`))
  page.on('console', (message) => {
    if (isFault(message, options)) faults.push(`console: ${message.text()}`)
  })
  page.on('dialog', (dialog) => {
    faults.push(`a dialog opened: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (isElsewhere(request, originOf(program, options))) faults.push(`a request to another host: ${request.url()}`)
  })
  return page
}

/** Runs in the page before its own scripts. */
function reportFaults() {
  const page = window as unknown as { __fault: (fault: string) => void; __hit: (what?: unknown) => void }
  page.__hit = (what) => page.__fault(`text from outside was executed: ${String(what)}`)
  window.alert = window.confirm = window.prompt = (() => page.__hit('dialog')) as never
  addEventListener('securitypolicyviolation', (event) => {
    page.__fault(`the page's policy was violated: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`)
  })
}

function isFault(message: ConsoleMessage, { requestsMayFail = false }: VisitOptions): boolean {
  if (message.type() !== 'error') return false
  const isRequest = /^(Failed to load resource|WebSocket connection to)/.test(message.text())
  return !(isRequest && requestsMayFail)
}

function originOf({ url }: Program, { host }: VisitOptions): string {
  if (host === undefined) return url
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}:${port}`
}

function isElsewhere(request: Request, ownOrigin: string): boolean {
  const { protocol, origin } = new URL(request.url())
  return protocol !== 'data:' && protocol !== 'blob:' && origin !== ownOrigin
}

export { expect } from 'vitest'

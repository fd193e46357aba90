// Starts one Chromium for all test files, after checking that everything the tests need exists.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'
import { DIST, PROGRAM } from './places.ts'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
// These flags keep Chromium from making requests of its own.
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
]

declare module 'vitest' {
  interface ProvidedContext {
    browser: string
  }
}

export default async function start(project: TestProject) {
  for (const [path, command] of [
    [PROGRAM, 'make e2e'],
    [join(DIST, 'index.html'), 'make web'],
  ] as const) {
    if (!existsSync(path)) throw new Error(`${path} is missing: build it with ${command}`)
  }
  const server = await chromium.launchServer({ executablePath: chromiumPath(), args: FLAGS })
  project.provide('browser', server.wsEndpoint())
  return () => server.close()
}

function chromiumPath(): string {
  if (process.env.CHROMIUM) return process.env.CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const found = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path))
  if (found === undefined) throw new Error('Chromium is missing: install it, or name its path in CHROMIUM')
  return found
}

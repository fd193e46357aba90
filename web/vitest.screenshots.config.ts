import { defineConfig } from 'vitest/config'
import e2e from './vitest.e2e.config.ts'

// Takes screenshots with the set-up of the browser tests.
export default defineConfig({ test: { ...e2e.test, include: ['e2e/screenshots.ts'] } })

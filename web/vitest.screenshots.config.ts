import { defineConfig } from 'vitest/config'
import e2e from './vitest.e2e.config.ts'

// Pictures are made the way the tests look at pages, and are no tests.
export default defineConfig({ test: { ...e2e.test, include: ['e2e/screenshots.ts'] } })

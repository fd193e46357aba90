import { defineConfig } from 'vitest/config'

// The real program and one real browser, for one test after the other: two of them would only wait for each other.
export default defineConfig({
  test: {
    include: ['e2e/**/*.test.ts'],
    globalSetup: ['e2e/stage/browser-server.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000, interval: 50 } },
  },
})

import { defineConfig } from 'vitest/config'

// Tests with the real program and a real browser. They run one after the other, because they share one browser.
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

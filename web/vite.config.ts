import { fileURLToPath } from 'node:url'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { notStarted } from './build/not-started-plugin.ts'

/** The server that `npm run dev` proxies to. */
const server = process.env.COUNTERSIGN_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), tailwind(), notStarted()],
  resolve: {
    alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)),
      // The package's browser build parses entities as HTML, which the Content-Security-Policy forbids.
      'decode-named-character-reference': fileURLToPath(
        new URL('./node_modules/decode-named-character-reference/index.js', import.meta.url),
      ),
    },
  },
  build: {
    target: 'es2022',
    // Nothing is inlined: the Content-Security-Policy allows only files from the page's own origin.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: {
      '/api': { target: server, ws: true, changeOrigin: true, headers: { origin: server } },
      '/process-agent': { target: server, changeOrigin: true, headers: { origin: server } },
      '/health': { target: server, changeOrigin: true },
    },
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: ['src/setup.test-env.ts'],
    restoreMocks: true,
    testTimeout: 30_000,
  },
})

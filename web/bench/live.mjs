// Measures how smooth the live page is with 200 new rows per second and with 100,000 rows loaded, in a real browser.
//   npm run build && node bench/live.mjs [path to chromium]
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { chromium } from 'playwright-core'

const DIST = new URL(`${process.env.DIST ?? '../dist'}/`, import.meta.url)
const ORIGIN = 'http://countersign.test'
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:"
const ROWS = 100_000
const ROWS_PER_SECOND = 200
const MEASURED_MS = 15_000
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }
const BEGIN = Date.now() - ROWS * 10

let size = ROWS

function log(seq) {
  const score = seq % 29 === 0 ? 9 : seq % 13 === 0 ? 5 : 0
  return {
    id: `00000000-0000-7000-8000-${String(seq).padStart(12, '0')}`,
    seq,
    event_id: `event-${seq}`,
    created_at: new Date(BEGIN + seq * 10).toISOString().replace('Z', '000Z'),
    query: `Question ${seq}: what should somebody do who clicked on a link in a message?`,
    response: `Answer ${seq}. `.repeat(20),
    status: score < 4 ? 'Safe' : score < 7 ? 'Warning' : 'Flagged',
    audit: { risk_score: score, auditor: 'builtin', findings: [] },
    worker: { provider: 'simulated', model: 'simulated' },
  }
}

const SESSION = {
  signed_in: true,
  keys_required: false,
  name: 'local',
  role: 'admin',
  csrf: null,
  worker: null,
  is_simulated: true,
  is_demo: true,
  version: 'bench',
}

function answer({ pathname, searchParams }) {
  if (pathname === '/api/session') return SESSION
  if (pathname === '/api/logs/stats') {
    const by_score = [size, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    return {
      total: size,
      by_status: { Safe: size, Warning: 0, Flagged: 0 },
      by_score,
      average_risk: 0,
      trend: [],
      as_of: size,
      partial: false,
    }
  }
  const from = Number(searchParams.get('after') ?? size)
  const limit = Math.min(Number(searchParams.get('limit') ?? 50), from)
  return {
    items: Array.from({ length: limit }, (_, at) => log(from - 1 - at)),
    next: from > limit ? String(from - limit) : null,
    partial: false,
  }
}

async function serve(route) {
  const url = new URL(route.request().url())
  if (url.pathname === '/api/ledger/checkpoint')
    return route.fulfill({ body: `bench\n${size}\nroot\n`, contentType: 'text/plain' })
  if (url.pathname.startsWith('/api/')) return route.fulfill({ json: answer(url) })
  const file = url.pathname === '/' ? 'index.html' : url.pathname.slice(1)
  const contentType = TYPES[extname(file)] ?? 'application/octet-stream'
  return route.fulfill({
    body: await readFile(new URL(file, DIST)),
    contentType,
    headers: { 'content-security-policy': POLICY },
  })
}

/** Sends rows at a steady rate. */
function sendRows(socket) {
  socket.send(JSON.stringify({ type: 'cursor', cursor: `bench.${size}` }))
  const begin = Date.now()
  let sent = 0
  setInterval(() => {
    const due = Math.floor(((Date.now() - begin) / 1_000) * ROWS_PER_SECOND)
    for (; sent < due; sent += 1) {
      const row = log(size)
      size += 1
      socket.send(JSON.stringify({ type: 'log', cursor: `bench.${size}`, event_type: 'AUDIT_LOG_CREATED', data: row }))
    }
  }, 20)
}

/** How many seconds the page's main thread has spent on each kind of work. */
async function mainThreadSeconds() {
  const { metrics } = await devtools.send('Performance.getMetrics')
  const seconds = (name) => metrics.find((metric) => metric.name === name)?.value ?? 0
  return {
    script: seconds('ScriptDuration'),
    layout: seconds('LayoutDuration'),
    style: seconds('RecalcStyleDuration'),
    all: seconds('TaskDuration'),
  }
}

/** Measures the time between frames, and the tasks that blocked the page. */
async function measure(page, name, ms, during) {
  const before = await mainThreadSeconds()
  const begin = Date.now()
  await page.evaluate(() => {
    window.frames_ms = []
    window.long_ms = []
    window.is_measuring = true
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.long_ms.push(duration)
    }).observe({ type: 'longtask' })
    let last = performance.now()
    const frame = (now) => {
      window.frames_ms.push(now - last)
      last = now
      if (window.is_measuring) requestAnimationFrame(frame)
    }
    requestAnimationFrame(frame)
  })
  await during?.()
  await page.waitForTimeout(ms)
  const [frames, tasks, heap, rowCount] = await page.evaluate(() => {
    window.is_measuring = false
    const heap = performance.memory?.usedJSHeapSize ?? 0
    return [
      window.frames_ms.slice(1).sort((a, b) => a - b),
      window.long_ms,
      heap,
      document.querySelector('table').getAttribute('aria-rowcount'),
    ]
  })
  const after = await mainThreadSeconds()
  const work = Object.entries(after).map(([what, s]) => `${what} ${((s - before[what]) * 1_000).toFixed(0)} ms`)
  const percentile = (share) => (frames[Math.floor(frames.length * share)] ?? 0).toFixed(1)
  const slow = frames.filter((frame) => frame > 50).length
  console.warn(
    `${name}: ${frames.length} frames, median ${percentile(0.5)} ms, p95 ${percentile(0.95)} ms, p99 ${percentile(0.99)} ms, longest ${percentile(0.9999)} ms, over 50 ms: ${slow}; long tasks: ${tasks.length}, longest ${Math.max(0, ...tasks).toFixed(0)} ms; rows ${rowCount}, heap ${(heap / 1e6).toFixed(0)} MB; ${work.join(', ')} in ${((Date.now() - begin) / 1_000).toFixed(0)} s`,
  )
}

const browser = await chromium.launch({
  executablePath: process.argv[2] ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--enable-precise-memory-info'],
})
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
const devtools = await page.context().newCDPSession(page)
await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
page.on('pageerror', (problem) => console.error('page:', problem.message))
page.on('console', (message) => message.type() === 'error' && console.error('console:', message.text()))
await page.routeWebSocket(/\/api\/live/, sendRows)
await page.route(`${ORIGIN}/**`, serve)
await page.goto(ORIGIN)
await page.waitForSelector('tbody tr[aria-rowindex]', { state: 'attached' })
const list = 'table'
const scrollTo = (px) =>
  page.evaluate(
    ([list, px]) => {
      document.querySelector(list).parentElement.scrollTop = px
    },
    [list, px],
  )

await measure(page, `at the top, ${ROWS_PER_SECOND} rows per second`, MEASURED_MS)
await scrollTo(1e9)
const begin = Date.now()
await page.waitForFunction(
  (rows) => {
    const table = document.querySelector('table')
    table.parentElement.scrollTop = 1e9
    return Number(table.getAttribute('aria-rowcount')) >= rows
  },
  ROWS,
  { timeout: 300_000, polling: 50 },
)
console.warn(`loaded all rows in ${((Date.now() - begin) / 1_000).toFixed(0)} s`)
await measure(page, 'all rows loaded, scrolling, new rows waiting', 1_000, async () => {
  for (let step = 0; step < 240; step += 1) {
    await page.evaluate(
      ([list, by]) => {
        document.querySelector(list).parentElement.scrollTop -= by
      },
      [list, step % 60 === 0 ? 200_000 : 300],
    )
    await page.waitForTimeout(30)
  }
})
await browser.close()

process.exit(0)

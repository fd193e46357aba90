import { screen, waitFor, within } from '@testing-library/react'
import user from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { Schemas } from '@/api/client.ts'
import { HOSTILE, investigation, REPORT_ID, report, reportRow, verdict } from '@/testing/case.ts'
import { show } from '@/testing/page.tsx'
import { refusal, serve } from '@/testing/server.ts'
import ReportPage from './page.tsx'

const FACT: Schemas['Fact'] = {
  section: 'executive_summary',
  start: 14,
  end: 27,
  text: 'TRY 91,941.11',
  path: '/transaction/amount',
  value: { amount: '91941.11', currency: 'TRY' },
}

function page(...items: unknown[]) {
  return { items, next: null }
}

async function shown(routes: Record<string, unknown> = {}, at = `/reports/${REPORT_ID}`) {
  const server = serve({
    'GET /api/reports/:id': report(),
    'GET /api/reports/:id/validations': page(verdict()),
    'GET /api/reports/:id/facts': { items: [FACT], sentences: [], context_sha256: '54' },
    'GET /api/reports/:id/versions': page(reportRow()),
    'GET /api/investigations/:id': investigation(),
    'GET /api/reports/:id/addenda': { items: [], next: null },
    'GET /api/events': page(),
    ...routes,
  })
  const rest = await show(<ReportPage id={REPORT_ID} />, at)
  return { server, ...rest }
}

test('the verdict comes first, and its score is a sum from 100', async () => {
  await shown()
  expect((await screen.findByTestId('score-sum')).textContent).toBe('100 − 5 − 2 = 93')
  expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('Needs review')
  expect(screen.getByText('Pass mark 70')).toBeDefined()
  expect(screen.getByText(/word range: Fraud explanation/)).toBeDefined()
})

test('the verdict shows the evidence, and a weakness once', async () => {
  const detail = 'The baseline holds 3 earlier transactions.'
  const evidence: Schemas['WeighedEvidence'] = {
    counted: {
      signals: [{ name: 'amount_deviation', value: 9.41, threshold: 3.5, unit: 'modified z-score' }],
      rules: [],
      transaction_on_record: true,
      baseline: { transactions: 3, days_since_last: 2 },
      transactions_in_other_currencies: 0,
    },
    row: 'one_source',
    base: 'adequate',
    strength: 'weak',
    weaknesses: [{ kind: 'thin_baseline', detail, steps: 1 }],
  }
  const judged = verdict()
  const structured_feedback = { ...judged.structured_feedback, evidence, justification_strength: 'weak' as const }
  const issues = [{ type: 'weak_justification', severity: 'medium', description: detail }]
  await shown({ 'GET /api/reports/:id/validations': page({ ...judged, issues, structured_feedback }) })
  const region = await screen.findByRole('region', { name: 'Evidence' })
  expect(region.textContent).toContain('9.41, threshold 3.5 modified z-score')
  expect(screen.getAllByText(detail)).toHaveLength(1)
})

test.each([
  ['evidence was weighed', verdict()],
  ['feedback had a structure', verdict({ structured_feedback: null })],
])('a verdict from before %s is shown without it', async (_, judged) => {
  await shown({ 'GET /api/reports/:id/validations': page(judged) })
  expect(await screen.findByTestId('score-sum')).toBeDefined()
  expect(screen.queryByRole('region', { name: 'Evidence' })).toBeNull()
})

test('a narrative point without facts on record is not reported as missing', async () => {
  const narrative = ['who', 'what', 'completion'].map((point, at) => ({
    point,
    state: at < 2 ? 'present' : 'not_available',
  }))
  await shown({ 'GET /api/reports/:id/validations': page(verdict({ narrative: [...narrative, { odd: 1 }] })) })
  expect(await screen.findByText('Narrative: 2 present, 1 not available')).toBeDefined()
})

test('an issue is shown next to its section, and an issue of the whole report in the report check', async () => {
  await shown()
  const aside = await screen.findByRole('complementary', { name: 'About Fraud explanation' })
  await waitFor(() => expect(aside.textContent).toContain('Fraud explanation is short.'))
  expect(aside.textContent).toContain('12 words of 200 to 250')
  expect(aside.textContent).toContain('Too short')
  const verdicts = screen.getByRole('region', { name: 'Report check' })
  expect(verdicts.textContent).toContain('Seven alerts within one hour.')
})

test('a figure shows its fact, with a link to the record', async () => {
  await shown()
  const number = await screen.findByRole('button', { name: 'TRY 91,941.11' })
  await user.hover(number)
  expect(await screen.findByText('From the record: transaction, amount')).toBeDefined()
  await user.click(screen.getByRole('link', { name: 'Show in the record' }))
  await waitFor(() => expect(document.querySelector('[data-at]')?.textContent).toBe('amountTRY 91,941.11'))
})

test('a figure shows its fact when it is reached with the keyboard', async () => {
  await shown()
  const number = await screen.findByRole('button', { name: 'TRY 91,941.11' })
  screen.getByRole('heading', { name: 'Executive summary' }).focus()
  await user.tab()
  expect(document.activeElement).toBe(number)
  expect(await screen.findByText('From the record: transaction, amount')).toBeDefined()
})

const SENTENCES: Schemas['Sentence'][] = [
  {
    section: 'executive_summary',
    start: 0,
    end: 40,
    facts: [
      { path: '/signals/0/outcome', value: 'fired' },
      { path: '/transaction/amount', value: { amount: '91941.11', currency: 'TRY' } },
      { path: '/baseline', value: null },
    ],
  },
]
const LICENSED = {
  'GET /api/reports/:id': report({
    executive_summary: 'The amount of TRY 91,941.11 was unusual. Somebody added this.',
  }),
  'GET /api/reports/:id/facts': { items: [FACT], sentences: SENTENCES, context_sha256: '54' },
}
const TOGGLE = 'Show the facts behind each sentence in Executive summary'

test('each sentence can be shown with the facts that support it', async () => {
  await shown(LICENSED)
  const toggle = await screen.findByRole('button', { name: TOGGLE })
  expect(toggle.getAttribute('aria-expanded')).toBe('false')
  toggle.focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(toggle)
  expect(toggle.getAttribute('aria-expanded')).toBe('true')
  const [first, second, ...rest] = within(sectionOf(toggle)).getAllByRole('listitem')
  expect(rest).toEqual([])
  expect(first?.querySelector('p')?.textContent).toBe('The amount of TRY 91,941.11 was unusual.')
  expect([...(first?.querySelectorAll('dt, dd') ?? [])].map((word) => word.textContent)).toEqual([
    'Amount deviation',
    'fired',
    'Transaction, amount',
    'TRY 91,941.11',
    'Baseline',
    'no baseline on record',
  ])
  expect(second?.textContent).toContain('Somebody added this.')
  expect(second?.textContent).toContain('No fact on record supports this.')
  await user.click(toggle)
  expect(within(sectionOf(toggle)).queryByRole('listitem')).toBeNull()
})

function sectionOf(element: HTMLElement): HTMLElement {
  return element.closest('section') as HTMLElement
}

test('a supporting fact links to the record, and the sentences stay visible', async () => {
  await shown(LICENSED, `/reports/${REPORT_ID}?licences=executive_summary`)
  await user.click(await screen.findByRole('link', { name: 'TRY 91,941.11' }))
  await waitFor(() => expect(document.querySelector('[data-at]')?.textContent).toBe('amountTRY 91,941.11'))
  expect(screen.getByText('no baseline on record')).toBeDefined()
})

test('a figure in a sentence still shows its own fact', async () => {
  await shown(LICENSED, `/reports/${REPORT_ID}?licences=executive_summary`)
  await user.hover(await screen.findByRole('button', { name: 'TRY 91,941.11' }))
  expect(await screen.findByText('From the record: transaction, amount')).toBeDefined()
})

test('a report without checked sentences offers no supporting facts', async () => {
  await shown({}, `/reports/${REPORT_ID}?licences=executive_summary`)
  expect(await screen.findByRole('button', { name: 'TRY 91,941.11' })).toBeDefined()
  expect(screen.queryByRole('button', { name: /facts behind each sentence/ })).toBeNull()
  expect(screen.queryByText('No fact on record supports this.')).toBeNull()
})

test('without its facts a report can still be read', async () => {
  await shown({ 'GET /api/reports/:id/facts': refusal(403, 'no') })
  expect(await screen.findByText(/facts behind the figures could not be loaded/)).toBeDefined()
  expect(screen.getByText('The amount of TRY 91,941.11 was unusual.')).toBeDefined()
})

test('a missing report says so', async () => {
  await shown({ 'GET /api/reports/:id': refusal(404, 'there is no report of this id') })
  expect((await screen.findByRole('alert')).textContent).toContain('there is no report of this id')
})

test('only export formats of the server are offered', async () => {
  await shown()
  const links = within(await screen.findByRole('navigation', { name: 'Export' })).getAllByRole('link')
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    ['md', 'json', 'html'].map((format) => `/api/reports/${REPORT_ID}/export?format=${format}`),
  )
})

test('two versions are compared word by word', async () => {
  const old = report({ id: 'older', version: 1, executive_summary: 'The amount of TRY 90,000.00 was unusual.' })
  await shown(
    {
      'GET /api/reports/:id': ({ path }: { path: string }) => (path.endsWith('older') ? old : report({ version: 2 })),
      'GET /api/reports/:id/versions': page(reportRow({ version: 2 }), reportRow({ id: 'older', is_current: false })),
    },
    `/reports/${REPORT_ID}?against=older`,
  )
  const changes = await screen.findByRole('region', { name: 'Changes in Executive summary' })
  expect(changes.querySelector('del')?.textContent).toBe('90,000.00 ')
  expect(changes.querySelector('ins')?.textContent).toBe('91,941.11 ')
  expect(screen.queryByRole('region', { name: 'Changes in Fraud explanation' })).toBeNull()
})

test('the hashes before and after the report check show that the text is unchanged', async () => {
  await shown()
  expect(await screen.findByText('Text unchanged')).toBeDefined()
})

test('a text that changed during the report check is reported', async () => {
  await shown({ 'GET /api/reports/:id/validations': page(verdict({ hash_after: 'ff'.repeat(32) })) })
  expect(await screen.findByText('Text changed during the check')).toBeDefined()
})

test('a decision made elsewhere updates the page', async () => {
  const { server, liveServer } = await shown()
  expect(await screen.findByText('Waiting for review')).toBeDefined()
  server.on('GET /api/reports/:id', report({ status: 'approved' }))
  liveServer.send({ type: 'review', data: { report_id: 'another' } })
  liveServer.send({ type: 'review', data: { report_id: REPORT_ID } })
  expect(await screen.findByText('Auto-approved', {}, { timeout: 5_000 })).toBeDefined()
})

test('hostile strings in every field of a report are shown as text', async () => {
  for (const text of HOSTILE) {
    const overrides = {
      executive_summary: text,
      recommended_next_steps: [text],
      markdown_content: text,
      regulatory_statement: text,
      extended_analysis: text,
      context: { [text]: { [text]: text } },
      structured_data: { timeline_events: [{ event: text, timestamp: text }] },
    }
    const { unmount, container } = await shown(
      {
        'GET /api/reports/:id': report(overrides),
        'GET /api/reports/:id/validations': page(
          verdict({ feedback: text, issues: [{ type: text, severity: text, description: text, section: text }] }),
        ),
      },
      `/reports/${REPORT_ID}?at=/x`,
    )
    await screen.findByTestId('score-sum')
    for (const name of ['Full report as Markdown', 'Timeline', 'Structured data']) {
      await user.click(screen.getByRole('heading', { name }))
    }
    await waitFor(() => expect(screen.queryByLabelText('Loading the Markdown reader')).toBeNull())
    expect(container.querySelectorAll('script, img, svg[onload], [onerror], a[href^="javascript"]')).toHaveLength(0)
    expect(container.textContent).toContain(text)
    expect('taken' in window).toBe(false)
    unmount()
  }
})

test('a section for which every text of the model was rejected says so, with the reasons', async () => {
  const { sections } = report()
  const fallback = {
    ...(sections[0] as Schemas['WrittenSection']),
    written_by: 'fallback' as const,
    model: 'groq/llama',
    refused: ['9 words too short', '9 words too short'],
  }
  await shown({ 'GET /api/reports/:id': report({ sections: [fallback] }) })
  const aside = await screen.findByRole('complementary', { name: 'About Executive summary' })
  expect(aside.textContent).toContain('Written by the built-in writer, because no text of groq/llama could be used')
  expect(within(aside).getAllByText('9 words too short')).toHaveLength(2)
})

test('an older version leads to the current one', async () => {
  const newer = reportRow({ id: 'newer', version: 2, regeneration_of: REPORT_ID })
  const older = { version: 1, is_current: false, status: null }
  await shown({
    'GET /api/reports/:id': report(older),
    'GET /api/reports/:id/versions': page(reportRow(older), newer),
  })
  const link = await screen.findByRole('link', { name: 'version 2' })
  expect(link.getAttribute('href')).toBe('/reports/newer')
})

test('a version that an agent requested says which version it replaces', async () => {
  await shown({ 'GET /api/reports/:id': report({ version: 2, regeneration_of: 'older' }) })
  await screen.findByText('An agent, to replace version 1')
})

import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Finding, Judge } from '../log.ts'
import { type LogOverrides, logOf, StagedServer, stage } from '../staged.test-env.tsx'
import DetailDrawer from './drawer.tsx'

const proof = vi.hoisted(() => ({ answer: {} as unknown }))
vi.mock('@/ledger/prove.ts', () => ({ proveLeaf: async () => proof.answer }))

const PROVEN = { state: 'proven', index: 0, size: 10, origin: 'countersign/x', body: { state: 'not given' } }

beforeEach(() => {
  proof.answer = PROVEN
})

const card: Finding = {
  kind: 'pii',
  type: 'CREDIT_CARD',
  severity: 'high',
  score: 0.98,
  detector: 'pii/credit_card',
  explanation: '16 digits with a valid Luhn check digit',
  start: 2,
  end: 6,
}

const JUDGE: Judge = {
  provider: 'gemini',
  model: 'flash',
  template: 'audit-2',
  template_sha256: 'ab'.repeat(32),
  temperature: 0,
  max_tokens: 800,
  attempts: 2,
  raw_reply: '{"risk_score":9}',
  repaired: false,
  marker: 'between',
}

async function open(log: LogOverrides | Response, calls: object[] = []) {
  const server = new StagedServer()
  server.override = ({ url }) => {
    const { pathname } = new URL(url)
    if (pathname === '/api/events') {
      return Response.json({ items: calls.map((payload, at) => ({ event_id: `e${at}`, payload })), next: null })
    }
    if (pathname !== '/api/logs/log-0') return undefined
    return log instanceof Response ? log : Response.json(logOf(0, 9, log))
  }
  stage(server, <DetailDrawer id="log-0" onClose={() => undefined} />)
  await screen.findByRole('dialog')
  await act(async () => {
    await vi.waitFor(() => expect(screen.queryByLabelText('Loading the audit')).toBeNull())
  })
}

const part = (name: string) => within(screen.getByRole('region', { name }))

describe('an audit that is open', () => {
  it('leads with the verdict and marks the words in place', async () => {
    await open({ response: '😀 4111 ok', audit: { risk_score: 9, details: 'A card.', findings: [card] } })
    expect(screen.getByRole('heading', { level: 2 }).textContent).toMatch(/^FlaggedRisk 9 of 10/)
    const mark = document.querySelector('mark')
    expect([mark?.textContent, mark?.dataset.kinds]).toEqual(['4111', 'pii'])
    expect(part('Findings (1)').getByText('16 digits with a valid Luhn check digit')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Show in the answer' }))
    expect(document.activeElement).toBe(mark)
  })

  it('marks the query if the finding is in the query', async () => {
    await open({ query: 'ab 99 cd', audit: { risk_score: 9, findings: [{ ...card, start: 3, end: 5, in: 'query' }] } })
    expect(document.querySelector('section[aria-label="Query"] mark')?.textContent).toBe('99')
    expect(document.querySelector('section[aria-label="Answer"] mark')).toBeNull()
  })

  it('marks words of several kinds with a line for each', async () => {
    const threat: Finding = { ...card, kind: 'toxicity', type: 'THREAT', start: 0, end: 9 }
    await open({ response: 'ab4111 cd', audit: { risk_score: 9, findings: [threat, card] } })
    const kinds = [...document.querySelectorAll('mark')].map((mark) => [mark.textContent, mark.dataset.kinds])
    expect(kinds).toEqual([
      ['ab', 'toxicity'],
      ['4111', 'pii toxicity'],
      [' cd', 'toxicity'],
    ])
    const lines = [...document.querySelectorAll('mark[data-kinds="pii toxicity"] span')].map(
      ({ className }) => className,
    )
    expect(lines.map((line) => /decoration-(solid|wavy)/.exec(line)?.[1])).toEqual(['solid', 'wavy'])
  })

  it('lists mentions separately from findings and does not mark them', async () => {
    const place: Finding = {
      ...card,
      type: 'LOCATION',
      explanation: 'reads like the name of a place',
      start: 15,
      end: 21,
      mention: true,
    }
    await open({
      query: 'What is the capital of France?',
      response: 'The capital of France is Paris.',
      status: 'Safe',
      audit: {
        risk_score: 0,
        details: 'The built-in inspectors found nothing risky.',
        findings: [place, { ...place, start: 25, end: 30 }],
        query_findings: [{ ...place, start: 23, end: 29, in: 'query' }],
      },
    })
    expect(document.querySelectorAll('mark')).toHaveLength(0)
    expect(part('Findings (0)').getByText('No findings.')).toBeDefined()
    const mentions = part('Mentions (3)').getAllByRole('listitem')
    expect(mentions.map(({ textContent }) => textContent)).toEqual([
      'France place',
      'Paris place',
      'France place, in the query',
    ])
    const shown = screen.getByRole('dialog').textContent ?? ''
    expect(shown).not.toMatch(/personal data|pii/i)
  })

  it('treats a bare place in an older audit as a mention', async () => {
    await open({ response: 'Paris', audit: { findings: [{ ...card, type: 'LOCATION', start: 0, end: 5 }] } })
    expect(part('Findings (0)').getByText('No findings.')).toBeDefined()
    expect(part('Mentions (1)').getByText('Paris')).toBeDefined()
  })

  it('shows personal data in the query separately, with its own risk', async () => {
    await open({
      query: 'ab 4111 cd',
      response: 'I can not check cards.',
      audit: {
        risk_score: 0,
        findings: [],
        query_findings: [{ ...card, start: 3, end: 7, in: 'query' }],
        query_risk_score: 9,
        query_pii_detected: true,
      },
    })
    expect(document.querySelector('section[aria-label="Query"] mark')?.textContent).toBe('4111')
    expect(part('Query').getByText(/risk 9 of 10\./)).toBeDefined()
    expect(part('Findings (0)').getByText('No findings.')).toBeDefined()
    expect(part('Personal data in the query (1)').getByText('Card number')).toBeDefined()
  })

  it('lists findings that concern the whole answer', async () => {
    await open({ audit: { risk_score: 9, findings: [{ ...card, start: 0, end: 0 }] } })
    expect(part('Findings (1)').getByText('Concerns the whole answer')).toBeDefined()
  })

  it('shows hostile text as text, everywhere', async () => {
    const bad = '<img src=x onerror=alert(1)>\u202e<script>alert(1)</script>'
    const finding = { ...card, type: bad, detector: bad, explanation: bad }
    const judge = { ...JUDGE, provider: bad, model: bad, template: bad, raw_reply: bad, error: bad }
    await open(
      {
        query: bad,
        response: bad,
        audit: { risk_score: 9, details: bad, findings: [finding], auditor: 'model', judge },
      },
      [{ purpose: bad, provider: bad, model: bad, attempt: 1, outcome: bad, latency_ms: 1 }],
    )
    expect(screen.getByRole('region', { name: 'Answer' }).textContent).toContain('alert(1)')
    expect(document.querySelectorAll('script, img')).toHaveLength(0)
  })

  it('says who audited the answer, with which model and prompt, and shows the raw reply', async () => {
    await open({ audit: { auditor: 'model', inspectors: 'builtin-2', confidence: 0.9, judge: JUDGE } })
    const auditor = part('Auditor')
    for (const text of ['gemini/flash', 'audit-2', '{"risk_score":9}', 'builtin-2'])
      expect(auditor.getByText(text)).toBeDefined()
  })

  it('says which facts are unknown', async () => {
    await open({ worker: null }, [
      { purpose: 'worker', provider: 'p', model: 'm', attempt: 1, outcome: 'ok', latency_ms: 12 },
    ])
    const cost = part('Model and cost')
    expect(await cost.findByText('12 ms')).toBeDefined()
    expect(cost.getAllByText('Unknown')).toHaveLength(6)
  })
})

describe('the proof', () => {
  it.each([
    [PROVEN, 'Leaf 0 is in the signed log of 10.'],
    [{ state: 'unsigned', index: 0, size: 0 }, 'The next one will cover it.'],
    [
      { state: 'failed', index: 0, why: 'the path does not lead to the signed root' },
      'could not be proven: the path does not lead',
    ],
    [
      { ...PROVEN, body: { state: 'proven', payload: { query: 'other' } } },
      'the text shown here differs from the recorded text',
    ],
  ])('is reported: %j', async (answer, words) => {
    proof.answer = answer
    await open({})
    await vi.waitFor(() => expect(document.querySelector('[data-proof]')?.textContent).toContain(words))
  })

  it('covers the text if the server returns what was recorded', async () => {
    const { query, response, status, audit } = logOf(0, 9)
    proof.answer = { ...PROVEN, body: { state: 'proven', payload: { query, response, status, audit } } }
    await open({})
    await vi.waitFor(() =>
      expect(document.querySelector('[data-proof]')?.textContent).toContain('the text shown here is the text recorded'),
    )
  })
})

describe('an answer without an audit', () => {
  it.each([
    ['Pending', 'The audit is not finished yet'],
    ['Failed', 'The model gave no answer'],
    ['Refused', 'a policy refused it'],
    ['Cancelled', 'The caller disconnected'],
    ['Interrupted', 'The server stopped'],
  ])('that is %s says so', async (status, words) => {
    await open(
      Response.json({ id: 'log-0', status, detail: 'why', created_at: '2026-03-01T09:30:00.000000Z', query: 'q' }),
    )
    const dialog = screen.getByRole('dialog').textContent
    for (const text of [status, words, 'why', 'Not recorded']) expect(dialog).toContain(text)
  })

  it.each([
    [410, 'The content of this audit has been erased'],
    [404, 'Audit not found'],
    [400, 'Audit not found'],
    [403, 'This audit could not be loaded'],
  ])('with an error response %d says so', async (status, words) => {
    await open(Response.json({ detail: 'x' }, { status }))
    expect(screen.getByText(words)).toBeDefined()
  })
})

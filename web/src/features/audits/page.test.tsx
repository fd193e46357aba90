import { act, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AuditsPage } from './page.tsx'
import { mockLayout, StagedServer, stage } from './staged.test-env.tsx'

// happy-dom has no canvas, and the drawer has tests of its own.
vi.mock('./trend.tsx', () => ({ default: () => null }))
vi.mock('./detail/drawer.tsx', () => ({
  default: ({ id, onClose }: { id: string; onClose: () => void }) => (
    <button type="button" aria-label="open audit" onClick={onClose}>
      {id}
    </button>
  ),
}))

beforeEach(() => {
  vi.useFakeTimers()
  mockLayout(300)
})
afterEach(() => {
  vi.useRealTimers()
  history.replaceState(null, '', '/')
})

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))
const ids = () => [...document.querySelectorAll('[data-log]')].map((link) => link.getAttribute('data-log'))
const press = (key: string) => act(() => void fireEvent.keyDown(document.body, { key }))
const opened = () => screen.queryByLabelText('open audit')?.textContent ?? null

async function show(server: StagedServer, address = '/') {
  history.replaceState(null, '', address)
  const view = stage(server, <AuditsPage />)
  await pass(500)
  return view
}

function serverOf(...scores: number[]): StagedServer {
  const server = new StagedServer()
  for (const score of scores) server.add(score)
  return server
}

describe('the first run', () => {
  it('explains what will appear and how to make it', async () => {
    await show(new StagedServer())
    expect(screen.getByText('Nothing has been audited yet')).toBeDefined()
    expect(screen.getByText(`${location.origin}/v1`)).toBeDefined()
    expect(screen.getByText('countersign demo')).toBeDefined()
  })

  it('ends with the first row', async () => {
    const server = new StagedServer()
    await show(server)
    server.add(3)
    await pass(200)
    expect(ids()).toEqual(['log-0'])
  })
})

describe('filters', () => {
  it('come from the address', async () => {
    await show(serverOf(0, 5, 9), '/?status=Warning')
    expect(ids()).toEqual(['log-1'])
    expect(screen.getByLabelText<HTMLSelectElement>('Verdict').value).toBe('Warning')
    expect(screen.getByRole('meter').getAttribute('aria-valuenow')).toBe('5')
  })

  it('go to the address without a new history entry', async () => {
    await show(serverOf(0, 5, 9))
    const steps = history.length
    fireEvent.change(screen.getByLabelText('Verdict'), { target: { value: 'Flagged' } })
    await pass(500)
    expect([location.search, history.length]).toEqual(['?status=Flagged', steps])
    expect(ids()).toEqual(['log-2'])
  })

  it('that are typed go to the address after a pause', async () => {
    const server = serverOf(0)
    await show(server)
    const search = screen.getByLabelText('Search in queries and answers')
    for (const typed of ['w', 'wo', 'words']) {
      fireEvent.change(search, { target: { value: typed } })
      await pass(100)
    }
    expect(location.search).toBe('')
    await pass(200)
    expect(location.search).toBe('?q=words')
  })

  it('keep out live rows that don’t match', async () => {
    const server = serverOf(5)
    await show(server, '/?status=Warning')
    server.add(0)
    server.add(6)
    await pass(200)
    expect(ids()).toEqual(['log-2', 'log-0'])
  })

  it('that match nothing say so, and can be cleared', async () => {
    await show(serverOf(0), '/?status=Flagged')
    expect(screen.getByText('No answers match')).toBeDefined()
    fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
    await pass(500)
    expect([location.search, ids()]).toEqual(['', ['log-0']])
  })
})

describe('keys', () => {
  it('walk the rows and open them', async () => {
    await show(serverOf(0, 1, 2))
    press('j')
    press('j')
    expect(document.querySelector('[data-active] [data-log]')?.getAttribute('data-log')).toBe('log-1')
    expect(document.activeElement?.getAttribute('data-log')).toBe('log-1')
    press('Enter')
    await pass(1)
    expect([opened(), location.search]).toEqual(['log-1', '?log=log-1'])
    press('j')
    await pass(1)
    expect(opened()).toBe('log-0')
  })

  it('hold the rows still until they walk past the first row', async () => {
    const server = serverOf(0, 1)
    await show(server)
    press('j')
    server.add(2)
    await pass(200)
    expect(ids()).toEqual(['log-1', 'log-0'])
    expect(screen.getByRole('button', { name: '1 new' })).toBeDefined()
    press('k')
    await pass(1)
    expect(ids()).toEqual(['log-2', 'log-1', 'log-0'])
  })

  it('pause and resume the list', async () => {
    const server = serverOf(0)
    await show(server)
    press('p')
    server.add(1)
    await pass(200)
    expect(ids()).toEqual(['log-0'])
    fireEvent.click(screen.getByRole('button', { name: '1 new' }))
    expect(ids()).toEqual(['log-1', 'log-0'])
    server.add(2)
    await pass(200)
    expect(ids()).toEqual(['log-1', 'log-0'])
    press('p')
    await pass(1)
    expect(ids()).toEqual(['log-2', 'log-1', 'log-0'])
  })

  it('focus the search', async () => {
    await show(serverOf(0))
    press('/')
    expect(document.activeElement).toBe(screen.getByLabelText('Search in queries and answers'))
  })
})

describe('one audit', () => {
  it('opens by its address, and closing it removes it from the address', async () => {
    await show(serverOf(0), '/?status=Safe&log=log-0')
    expect(opened()).toBe('log-0')
    fireEvent.click(screen.getByLabelText('open audit'))
    await pass(1)
    expect([opened(), location.search]).toEqual([null, '?status=Safe'])
  })

  it('opens by a click anywhere on its row', async () => {
    await show(serverOf(0))
    fireEvent.click(document.querySelector('tbody tr[aria-rowindex] td') as Element)
    await pass(1)
    expect(opened()).toBe('log-0')
  })
})

describe('failures', () => {
  it('a failed request shows an error and can be retried', async () => {
    const server = serverOf(0)
    server.override = ({ url }) =>
      url.includes('/api/logs') ? Response.json({ detail: 'no' }, { status: 400 }) : undefined
    await show(server)
    expect(screen.getByText('The answers could not be loaded')).toBeDefined()
    server.override = () => undefined
    for (const again of screen.getAllByRole('button', { name: 'Try again' })) fireEvent.click(again)
    await pass(500)
    expect(ids()).toEqual(['log-0'])
  })

  it('a search that reached its time limit says so and continues on request', async () => {
    const server = serverOf(0, 1)
    const pages = [
      { items: [server.logs[1]], next: 'c', partial: true },
      { items: [server.logs[0]], next: null, partial: false },
    ]
    server.override = ({ url }) => {
      const { pathname, searchParams } = new URL(url)
      return pathname === '/api/logs' ? Response.json(pages[searchParams.has('after') ? 1 : 0]) : undefined
    }
    await show(server, '/?q=words')
    expect([ids(), screen.queryByText(/reached its time limit/) !== null]).toEqual([['log-1'], true])
    fireEvent.click(screen.getByRole('button', { name: 'Search further' }))
    await pass(100)
    expect(ids()).toEqual(['log-1', 'log-0'])
  })
})

describe('rows wait', () => {
  const list = () => document.querySelector('table')?.parentElement as HTMLElement

  async function showsOneWaiting(server: StagedServer) {
    server.add(9)
    await pass(200)
    expect([ids()[0], screen.queryByRole('button', { name: '1 new' }) !== null]).toEqual(['log-2', true])
  }

  function scrollTo(top: number) {
    act(() => {
      list().scrollTop = top
      fireEvent.scroll(list())
    })
  }

  it('while the reader has scrolled, and the button leads back to the top', async () => {
    const server = serverOf(0, 1, 2)
    await show(server)
    scrollTo(20)
    await showsOneWaiting(server)
    expect(list().scrollTop).toBe(20)
    fireEvent.click(screen.getByRole('button', { name: '1 new' }))
    expect([ids()[0], list().scrollTop]).toEqual(['log-3', 0])
  })

  it('until the reader has scrolled back', async () => {
    const server = serverOf(0, 1, 2)
    await show(server)
    scrollTo(20)
    await showsOneWaiting(server)
    scrollTo(0)
    await pass(1)
    expect(ids()[0]).toBe('log-3')
  })

  it('while the reader points at them, but not for a resting pointer', async () => {
    const server = serverOf(0, 1, 2)
    await show(server)
    act(() => void fireEvent.pointerMove(list(), { pointerType: 'mouse' }))
    await showsOneWaiting(server)
    await pass(1_500)
    expect(ids()[0]).toBe('log-3')
  })

  it('while text in them is selected', async () => {
    const server = serverOf(0, 1, 2)
    await show(server)
    const marked = { isCollapsed: false, anchorNode: document.querySelector('[data-log]') } as unknown as Selection
    const selection = vi.spyOn(document, 'getSelection').mockReturnValue(marked)
    act(() => void document.dispatchEvent(new Event('selectionchange')))
    await showsOneWaiting(server)
    selection.mockReturnValue(null)
    act(() => void document.dispatchEvent(new Event('selectionchange')))
    await pass(1)
    expect(ids()[0]).toBe('log-3')
  })
})

it('further pages are loaded while scrolling down', async () => {
  const server = new StagedServer()
  for (let at = 0; at < 450; at += 1) server.add(0)
  await show(server)
  const list = document.querySelector('table')?.parentElement as HTMLElement
  for (const top of [150 * 36, 340 * 36, 420 * 36]) {
    act(() => {
      list.scrollTop = top
      fireEvent.scroll(list)
    })
    await pass(300)
  }
  const last = ids().at(-1)
  expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('451')
  expect(last).toMatch(/^log-\d\d?$/)
  expect(new Set(ids()).size).toBe(ids().length)
})

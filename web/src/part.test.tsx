import { act, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Boundary } from './components/ui/boundary.tsx'
import { part } from './part.ts'

beforeEach(() => {
  sessionStorage.clear()
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

async function shown(children: ReactNode) {
  render(
    <Boundary at="/">
      <Suspense fallback="on its way">{children}</Suspense>
    </Boundary>,
  )
  await act(() => vi.advanceTimersByTimeAsync(0))
}

const gone = () => Promise.reject(new TypeError('Failed to fetch dynamically imported module'))

test('a part that can be fetched is shown, and nothing is opened anew', async () => {
  const around = { answers: vi.fn(), reload: vi.fn() }
  const Part = part(() => Promise.resolve({ default: () => 'here' }), around)
  await shown(<Part />)
  expect(screen.getByText('here')).toBeDefined()
  expect(around.reload).not.toHaveBeenCalled()
})

test('a part that can not be fetched opens the page anew, but not before the server answers', async () => {
  let isThere = false
  const around = { answers: () => Promise.resolve(isThere), reload: vi.fn() }
  const Part = part(gone, around)
  await shown(<Part />)
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  expect(around.reload).not.toHaveBeenCalled()
  expect(screen.getByText('on its way')).toBeDefined()
  isThere = true
  await act(() => vi.advanceTimersByTimeAsync(15_000))
  expect(around.reload).toHaveBeenCalledOnce()
  expect(screen.getByText('on its way')).toBeDefined()
})

test('a part that can not be fetched after the page was opened anew says so, instead of opening it for ever', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const around = { answers: () => Promise.resolve(true), reload: vi.fn() }
  const First = part(gone, around)
  await shown(<First />)
  expect(around.reload).toHaveBeenCalledOnce()
  const Second = part(gone, around)
  await shown(<Second />)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be read')
  expect(around.reload).toHaveBeenCalledOnce()
})

test('a minute later the page may be opened anew again', async () => {
  const around = { answers: () => Promise.resolve(true), reload: vi.fn() }
  const First = part(gone, around)
  await shown(<First />)
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  const Second = part(gone, around)
  await shown(<Second />)
  expect(around.reload).toHaveBeenCalledTimes(2)
})

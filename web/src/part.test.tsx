import { act, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Boundary } from './components/ui/boundary.tsx'
import { part } from './part.ts'

let isThere = true
const reload = vi.fn()

beforeEach(() => {
  isThere = true
  reload.mockReset()
  sessionStorage.clear()
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => (isThere ? Promise.resolve(new Response()) : Promise.reject(new TypeError('no server'))))
  vi.spyOn(location, 'reload').mockImplementation(reload)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

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
  const Part = part(() => Promise.resolve({ default: () => 'here' }))
  await shown(<Part />)
  expect(screen.getByText('here')).toBeDefined()
  expect(reload).not.toHaveBeenCalled()
})

test('a part that can not be fetched opens the page anew, but not before the server answers', async () => {
  isThere = false
  const Part = part(gone)
  await shown(<Part />)
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  expect(reload).not.toHaveBeenCalled()
  expect(screen.getByText('on its way')).toBeDefined()
  isThere = true
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(reload).toHaveBeenCalledOnce()
  expect(screen.getByText('on its way')).toBeDefined()
})

test('a part that can not be fetched after the page was opened anew says so, instead of opening it for ever', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const First = part(gone)
  await shown(<First />)
  expect(reload).toHaveBeenCalledOnce()
  const Second = part(gone)
  await shown(<Second />)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be read')
  expect(reload).toHaveBeenCalledOnce()
})

test('a minute later the page may be opened anew again', async () => {
  const First = part(gone)
  await shown(<First />)
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  const Second = part(gone)
  await shown(<Second />)
  expect(reload).toHaveBeenCalledTimes(2)
})

import { act, render, screen } from '@testing-library/react'
import { type ReactNode, Suspense } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Boundary } from './components/ui/boundary.tsx'
import { lazyComponent } from './lazy-component.ts'

let isUp = true
const reload = vi.fn()

beforeEach(() => {
  isUp = true
  reload.mockReset()
  sessionStorage.clear()
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => (isUp ? Promise.resolve(new Response()) : Promise.reject(new TypeError('no server'))))
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

test('a component whose code can be fetched is shown without a reload', async () => {
  const Part = lazyComponent(() => Promise.resolve({ default: () => 'here' }))
  await shown(<Part />)
  expect(screen.getByText('here')).toBeDefined()
  expect(reload).not.toHaveBeenCalled()
})

test('a failed fetch reloads the page, but only once the server responds', async () => {
  isUp = false
  const Part = lazyComponent(gone)
  await shown(<Part />)
  await act(() => vi.advanceTimersByTimeAsync(120_000))
  expect(reload).not.toHaveBeenCalled()
  expect(screen.getByText('on its way')).toBeDefined()
  isUp = true
  await act(() => vi.advanceTimersByTimeAsync(60_000))
  expect(reload).toHaveBeenCalledOnce()
  expect(screen.getByText('on its way')).toBeDefined()
})

test('a second failure right after a reload shows an error instead of reloading again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const First = lazyComponent(gone)
  await shown(<First />)
  expect(reload).toHaveBeenCalledOnce()
  const Second = lazyComponent(gone)
  await shown(<Second />)
  expect(screen.getByRole('alert').textContent).toContain('This page could not be loaded')
  expect(reload).toHaveBeenCalledOnce()
})

test('a failure a minute later may reload the page again', async () => {
  const First = lazyComponent(gone)
  await shown(<First />)
  await act(() => vi.advanceTimersByTimeAsync(61_000))
  const Second = lazyComponent(gone)
  await shown(<Second />)
  expect(reload).toHaveBeenCalledTimes(2)
})

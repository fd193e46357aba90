import { render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { Boundary } from './boundary.tsx'

function Broken(): never {
  throw new Error('a secret cause')
}

test('a page that breaks says so without its cause, and another page is shown again', () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const { rerender } = render(
    <Boundary at="/a">
      <Broken />
    </Boundary>,
  )
  expect(screen.getByRole('alert').textContent).toContain('This page could not be loaded')
  expect(screen.queryByText(/secret/)).toBeNull()
  rerender(<Boundary at="/b">fine</Boundary>)
  expect(screen.getByText('fine')).toBeDefined()
})

import { render, screen, waitFor } from '@testing-library/react'
import user from '@testing-library/user-event'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Json } from './json.tsx'

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  'javascript:alert(1)',
  '"><iframe src=//x>',
  '\u202egnp.exe',
  '\u200b\u2066hidden\u2069\ufeff',
  '\u0000\u001b[31m',
  '__proto__',
  'constructor',
  'x'.repeat(3_000),
]

const ALLOWED = new Set(['DIV', 'SPAN', 'BUTTON', 'svg', 'path'])

function shown(value: unknown) {
  const { container, unmount } = render(<Json value={value} />)
  const elements = [...container.querySelectorAll('*')]
  return { text: container.textContent ?? '', elements, unmount }
}

test('any JSON is shown as text, whatever it contains', () => {
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE))
  const { tree: any } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.oneof(text, fc.double(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.dictionary(text, tie('tree'), { maxKeys: 5 }),
    ),
  }))
  fc.assert(
    fc.property(any, (value) => {
      const { elements, text, unmount } = shown(value)
      expect(elements.map(({ tagName }) => tagName).filter((tag) => !ALLOWED.has(tag))).toEqual([])
      expect(text).not.toMatch(/[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/)
      unmount()
    }),
    { numRuns: 100 },
  )
})

test.each(HOSTILE.slice(0, 5))('%j is shown as text and not interpreted', (text) => {
  const { text: content } = shown({ [text]: text })
  expect(content).toBe(`${text}: ${JSON.stringify(text)}`)
  expect(document.querySelector('script, img, iframe, a, [onload]')).toBeNull()
})

test('characters that reverse or hide text are shown as escapes', () => {
  expect(shown({ name: 'a\u202eb\u200b' }).text).toContain('"a\\u202eb\\u200b"')
})

test('deeply nested JSON is shown one level at a time', async () => {
  let deep: unknown = 'bottom'
  for (let level = 0; level < 5_000; level += 1) deep = { in: deep }
  const { elements } = shown(deep)
  expect(elements.length).toBeLessThan(50)
  const closed = screen.getAllByRole('button', { expanded: false })
  expect(closed).toHaveLength(1)
  await user.click(closed[0] as HTMLElement)
  await waitFor(() => expect(screen.getAllByRole('button', { expanded: true }).length).toBeGreaterThan(1))
})

test('long lists and long texts are shown in parts', async () => {
  const { elements, unmount } = shown(Array.from({ length: 10_000 }, (_, at) => `item ${at}`))
  expect(elements.length).toBeLessThan(1_000)
  await user.click(screen.getByRole('button', { name: 'Show more (9900 entries left)' }))
  expect(screen.getByText('"item 150"')).toBeDefined()
  unmount()
  expect(shown({ text: 'y'.repeat(100_000) }).text.length).toBeLessThan(3_000)
  expect(screen.getByRole('button', { name: 'Show more (98000 characters left)' })).toBeDefined()
})

test('empty values are distinguished from missing ones', () => {
  expect(shown({ list: [], object: {}, nothing: null, text: '' }).text).toBe('list: []object: {}nothing: nulltext: ""')
  expect(shown({}).text).toContain('{}')
})

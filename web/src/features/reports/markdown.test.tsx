import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import MarkdownText from './markdown.tsx'

function shown(text: string): HTMLElement {
  return render(<MarkdownText text={text} />).container
}

test('tables and emphasis are drawn', () => {
  const made = shown('# Title\n\n| a | b |\n| --- | --- |\n| 1 | **2** |')
  expect(made.querySelectorAll('td')).toHaveLength(2)
  expect(made.querySelector('strong')?.textContent).toBe('2')
})

test('raw HTML stays text', () => {
  const made = shown('<script>window.taken = 1</script>\n\n<b onclick="x">bold</b>')
  expect(made.querySelector('script, b')).toBeNull()
})

test('pictures are named but not loaded', () => {
  const made = shown('![a pixel](https://example.org/pixel.png)')
  expect(made.querySelector('img')).toBeNull()
  expect(made.textContent).toContain('[picture: a pixel]')
})

test('only safe links are links, and they send no referrer', () => {
  const check = (href: string, leads: boolean) => {
    const link = shown(`[words](<${href}>)`).querySelector('a')
    expect(link !== null, href).toBe(leads)
    if (link) expect(link.rel).toBe('noopener noreferrer nofollow')
  }
  check('https://example.org/', true)
  check('http://example.org/', true)
  check('mailto:ana@example.org', true)
  check('javascript:alert(1)', false)
  check('JAVASCRIPT:alert(1)', false)
  check('data:text/html,x', false)
  check('vbscript:x', false)
  check('//example.org', false)
  check('/settings', false)
})

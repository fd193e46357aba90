import { expect, test } from 'vitest'
import { isMasked, masked } from './customer.ts'

test('only the last four characters of a customer id are shown, or nothing of a short one', () => {
  expect(masked('user-61581509')).toBe('***1509')
  expect(masked('12345')).toBe('***2345')
  expect(masked('1234')).toBe('***')
  expect(masked('')).toBe('***')
  expect(masked('ab😀😁😂🤣')).toBe('***😀😁😂🤣')
})

test('a masked id is distinguished from a full one', () => {
  expect(isMasked('***1509')).toBe(true)
  expect(isMasked('***')).toBe(true)
  expect(isMasked('user-61581509')).toBe(false)
})

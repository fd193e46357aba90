import { expect, test } from 'vitest'
import { findingName } from './finding-names.ts'

test.each([
  ['CREDIT_CARD', 'Card number'],
  ['INSTRUCTION_OVERRIDE', 'Attempt to override instructions'],
  ['NEVER_HEARD_OF', 'Never heard of'],
  ['<b>Sarcasm</b>', '<b>Sarcasm</b>'],
  ['constructor', 'constructor'],
])('%s reads as %s', (type, name) => {
  expect(findingName(type)).toBe(name)
})

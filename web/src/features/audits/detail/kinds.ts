// How each kind of finding is marked: by a hue, and by a style of underline that can be told apart without colour.
import type { Kind } from '../log.ts'

export const LOOKS: Record<Kind, { background: string; text: string; underline: string }> = {
  pii: { background: 'bg-pii-tint', text: 'text-pii', underline: 'underline decoration-solid decoration-pii' },
  toxicity: {
    background: 'bg-toxicity-tint',
    text: 'text-toxicity',
    underline: 'underline decoration-wavy decoration-toxicity',
  },
  injection: {
    background: 'bg-injection-tint',
    text: 'text-injection',
    underline: 'underline decoration-double decoration-injection',
  },
  grounding: {
    background: 'bg-grounding-tint',
    text: 'text-grounding',
    underline: 'underline decoration-dashed decoration-grounding',
  },
}

/** If a text has findings of several kinds, their underlines are stacked at these offsets. */
export const OFFSETS = ['underline-offset-2', 'underline-offset-4', 'underline-offset-[6px]', 'underline-offset-8']

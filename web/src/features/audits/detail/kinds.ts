// How each kind of finding is marked: by a hue, and by a style of underline that can be told apart without colour.
import type { Kind } from '../log.ts'

export const LOOKS: Record<Kind, { ground: string; text: string; line: string }> = {
  pii: { ground: 'bg-pii-tint', text: 'text-pii', line: 'underline decoration-solid decoration-pii' },
  toxicity: {
    ground: 'bg-toxicity-tint',
    text: 'text-toxicity',
    line: 'underline decoration-wavy decoration-toxicity',
  },
  injection: {
    ground: 'bg-injection-tint',
    text: 'text-injection',
    line: 'underline decoration-double decoration-injection',
  },
  grounding: {
    ground: 'bg-grounding-tint',
    text: 'text-grounding',
    line: 'underline decoration-dashed decoration-grounding',
  },
}

/** The underlines of several kinds are stacked. */
export const OFFSETS = ['underline-offset-2', 'underline-offset-4', 'underline-offset-[6px]', 'underline-offset-8']

// Splits a text at the given spans. The pieces together are always the whole text, whatever the spans are.

interface TextSpan {
  /** In code points, as the server counts them. */
  start: number
  /** Exclusive. */
  end: number
}

export interface Piece<P> {
  text: string
  span: P | null
  /** Whether it is between backticks, which are not shown. */
  isCode: boolean
  isBacktick: boolean
}

/** Ignores spans that reach outside the text or overlap an earlier one. */
export function cut<P extends TextSpan>(text: string, spans: readonly P[]): Piece<P>[] {
  const letters = Array.from(text)
  const code = codeAt(letters)
  const spanAt = spanByCharacter(letters.length, spans)
  const pieces: Piece<P>[] = []
  for (const [at, letter] of letters.entries()) {
    const span = spanAt[at] ?? null
    const { isCode, isBacktick } = code[at] ?? { isCode: false, isBacktick: false }
    const last = pieces.at(-1)
    if (last && last.span === span && last.isCode === isCode && last.isBacktick === isBacktick) last.text += letter
    else pieces.push({ text: letter, span, isCode, isBacktick })
  }
  return pieces
}

export interface SpanPiece<P> {
  text: string
  /** In code points from the text's start. */
  start: number
  span: P | null
}

/** Like `cut`, but ignores backticks: each span is one piece, and so is the text between two spans. */
export function bySpans<P extends TextSpan>(text: string, spans: readonly P[]): SpanPiece<P>[] {
  const letters = Array.from(text)
  const spanAt = spanByCharacter(letters.length, spans)
  const found: SpanPiece<P>[] = []
  for (const [at, letter] of letters.entries()) {
    const span = spanAt[at] ?? null
    const last = found.at(-1)
    if (last && last.span === span) last.text += letter
    else found.push({ text: letter, start: at, span })
  }
  return found
}

function spanByCharacter<P extends TextSpan>(length: number, spans: readonly P[]): (P | undefined)[] {
  const at: (P | undefined)[] = new Array(length)
  let taken = 0
  for (const span of [...spans].sort((one, other) => one.start - other.start)) {
    const { start, end } = span
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < taken || end <= start || end > length) continue
    at.fill(span, start, end)
    taken = end
  }
  return at
}

interface Code {
  isCode: boolean
  isBacktick: boolean
}

/** Which characters are between a pair of backticks on one line, and which are the backticks. */
function codeAt(letters: readonly string[]): Code[] {
  const code: Code[] = letters.map(() => ({ isCode: false, isBacktick: false }))
  let opened: number | null = null
  for (const [at, letter] of letters.entries()) {
    if (letter === '\n') opened = null
    if (letter !== '`') continue
    if (opened === null || opened === at - 1) {
      opened = at
      continue
    }
    for (let inside = opened; inside <= at; inside++) {
      code[inside] = { isCode: inside > opened && inside < at, isBacktick: inside === opened || inside === at }
    }
    opened = null
  }
  return code
}

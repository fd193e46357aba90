// A text cut at the places that something is known about. Nothing of the text is lost, whatever the places are.

interface Place {
  /** In code points, as the server counts them. */
  start: number
  /** Exclusive. */
  end: number
}

export interface Piece<P> {
  text: string
  place: P | null
  /** Between back quotes, which are left out when it is shown. */
  isCode: boolean
  isQuote: boolean
}

/** Places that lie outside of the text, or over one that came before, are passed over. */
export function cut<P extends Place>(text: string, places: readonly P[]): Piece<P>[] {
  const letters = Array.from(text)
  const code = codeAt(letters)
  const placeAt = spread(letters.length, places)
  const pieces: Piece<P>[] = []
  for (const [at, letter] of letters.entries()) {
    const place = placeAt[at] ?? null
    const { isCode, isQuote } = code[at] ?? { isCode: false, isQuote: false }
    const last = pieces.at(-1)
    if (last && last.place === place && last.isCode === isCode && last.isQuote === isQuote) last.text += letter
    else pieces.push({ text: letter, place, isCode, isQuote })
  }
  return pieces
}

export interface Stretch<P> {
  text: string
  /** In code points from the text's start. */
  start: number
  place: P | null
}

/** The same without regard to code: each place whole, and what lies between them. */
export function stretches<P extends Place>(text: string, places: readonly P[]): Stretch<P>[] {
  const letters = Array.from(text)
  const placeAt = spread(letters.length, places)
  const found: Stretch<P>[] = []
  for (const [at, letter] of letters.entries()) {
    const place = placeAt[at] ?? null
    const last = found.at(-1)
    if (last && last.place === place) last.text += letter
    else found.push({ text: letter, start: at, place })
  }
  return found
}

function spread<P extends Place>(length: number, places: readonly P[]): (P | undefined)[] {
  const at: (P | undefined)[] = new Array(length)
  let taken = 0
  for (const place of [...places].sort((one, other) => one.start - other.start)) {
    const { start, end } = place
    if (!Number.isInteger(start) || !Number.isInteger(end) || start < taken || end <= start || end > length) continue
    at.fill(place, start, end)
    taken = end
  }
  return at
}

interface Code {
  isCode: boolean
  isQuote: boolean
}

/** Which letters stand between a pair of back quotes on one line, and which are those quotes. */
function codeAt(letters: readonly string[]): Code[] {
  const code: Code[] = letters.map(() => ({ isCode: false, isQuote: false }))
  let opened: number | null = null
  for (const [at, letter] of letters.entries()) {
    if (letter === '\n') opened = null
    if (letter !== '`') continue
    if (opened === null || opened === at - 1) {
      opened = at
      continue
    }
    for (let inside = opened; inside <= at; inside++) {
      code[inside] = { isCode: inside > opened && inside < at, isQuote: inside === opened || inside === at }
    }
    opened = null
  }
  return code
}

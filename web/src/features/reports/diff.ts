// A word-by-word diff of two texts. The texts have a few hundred words at most, so a plain table of longest common
// subsequences is enough; its size is bounded.

export interface Change {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The maximum number of table cells. Above it, the differing middle is reported as one removal and one addition. */
const CELLS_MAX = 4_000_000

export function difference(textBefore: string, textAfter: string): Change[] {
  const before = words(textBefore)
  const after = words(textAfter)
  const shorter = Math.min(before.length, after.length)
  let head = 0
  while (head < shorter && before[head] === after[head]) head++
  let tail = 0
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  const middle = diffMiddle(before.slice(head, before.length - tail), after.slice(head, after.length - tail))
  return merged([same(before.slice(0, head)), ...middle, same(before.slice(before.length - tail))])
}

/** Words keep the white space after them, so that both texts can be put together again. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/gu) ?? []
}

function same(words: string[]): Change {
  return { kind: 'same', text: words.join('') }
}

/** Compares what is left of the texts without their common beginning and end. */
function diffMiddle(before: string[], after: string[]): Change[] {
  const removed = (text: string): Change => ({ kind: 'removed', text })
  const added = (text: string): Change => ({ kind: 'added', text })
  if (before.length * after.length > CELLS_MAX) return [removed(before.join('')), added(after.join(''))]
  const width = after.length + 1
  const lengths = commonLengths(before, after, width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  const isRemovalBest = (row: number, column: number) => lengthAt(row + 1, column) >= lengthAt(row, column + 1)
  const changes: Change[] = []
  let row = 0
  let column = 0
  while (row < before.length || column < after.length) {
    const oldWord = before[row]
    const newWord = after[column]
    if (oldWord !== undefined && oldWord === newWord) {
      changes.push({ kind: 'same', text: oldWord })
      row++
      column++
    } else if (oldWord !== undefined && (newWord === undefined || isRemovalBest(row, column))) {
      changes.push(removed(oldWord))
      row++
    } else {
      changes.push(added(newWord ?? ''))
      column++
    }
  }
  return changes
}

/**
 * A table with a row for each word before and a column for each word after. Each cell holds the length of the longest common
 * subsequence of the words from there on.
 */
function commonLengths(before: string[], after: string[], width: number): Uint32Array {
  const lengths = new Uint32Array((before.length + 1) * width)
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const below = lengths[(row + 1) * width + column] ?? 0
      const right = lengths[row * width + column + 1] ?? 0
      const diagonal = lengths[(row + 1) * width + column + 1] ?? 0
      lengths[row * width + column] = before[row] === after[column] ? diagonal + 1 : Math.max(below, right)
    }
  }
  return lengths
}

/** Merges adjacent changes. Between two unchanged runs, removed text comes before added text. */
function merged(changes: Change[]): Change[] {
  const result: Change[] = []
  let [removed, added] = ['', '']
  const flush = () => {
    if (removed !== '') result.push({ kind: 'removed', text: removed })
    if (added !== '') result.push({ kind: 'added', text: added })
    removed = added = ''
  }
  for (const { kind, text } of changes) {
    if (text === '') continue
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else {
      flush()
      const last = result.at(-1)
      if (last?.kind === 'same') last.text += text
      else result.push({ kind, text })
    }
  }
  flush()
  return result
}

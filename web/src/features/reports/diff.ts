// A word-by-word diff of two texts. The texts have a few hundred words at most, so a plain table of longest common
// subsequences is enough; its size is bounded.

export interface Change {
  kind: 'same' | 'removed' | 'added'
  text: string
}

/** The largest table. Beyond it, the differing middle is reported as one replacement. */
const CELLS_MAX = 4_000_000

export function difference(before: string, after: string): Change[] {
  const old = words(before)
  const now = words(after)
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < old.length - head && tail < now.length - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const middle = compared(old.slice(head, old.length - tail), now.slice(head, now.length - tail))
  return joined([same(old.slice(0, head)), ...middle, same(old.slice(old.length - tail))])
}

/** Words keep the white space after them, so that both texts can be put together again. */
function words(text: string): string[] {
  return text.match(/\S+\s*|\s+/gu) ?? []
}

function same(words: string[]): Change {
  return { kind: 'same', text: words.join('') }
}

function compared(old: string[], now: string[]): Change[] {
  const removed = (text: string): Change => ({ kind: 'removed', text })
  const added = (text: string): Change => ({ kind: 'added', text })
  if (old.length * now.length > CELLS_MAX) return [removed(old.join('')), added(now.join(''))]
  const width = now.length + 1
  const longest = table(old, now, width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  const changes: Change[] = []
  let row = 0
  let column = 0
  while (row < old.length || column < now.length) {
    const left = old[row]
    const right = now[column]
    if (left !== undefined && left === right) {
      changes.push({ kind: 'same', text: left })
      row++
      column++
    } else if (left !== undefined && (right === undefined || at(row + 1, column) >= at(row, column + 1))) {
      changes.push(removed(left))
      row++
    } else {
      changes.push(added(right ?? ''))
      column++
    }
  }
  return changes
}

/** Each cell holds the length of the longest common subsequence of the two remaining texts. */
function table(old: string[], now: string[], width: number): Uint32Array {
  const longest = new Uint32Array((old.length + 1) * width)
  for (let row = old.length - 1; row >= 0; row--) {
    for (let column = now.length - 1; column >= 0; column--) {
      const below = longest[(row + 1) * width + column] ?? 0
      const beside = longest[row * width + column + 1] ?? 0
      const across = longest[(row + 1) * width + column + 1] ?? 0
      longest[row * width + column] = old[row] === now[column] ? across + 1 : Math.max(below, beside)
    }
  }
  return longest
}

/** Merges adjacent changes. Between two unchanged runs, removed text comes before added text. */
function joined(changes: Change[]): Change[] {
  const joined: Change[] = []
  let [removed, added] = ['', '']
  const flush = () => {
    if (removed !== '') joined.push({ kind: 'removed', text: removed })
    if (added !== '') joined.push({ kind: 'added', text: added })
    removed = added = ''
  }
  for (const { kind, text } of changes) {
    if (text === '') continue
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else {
      flush()
      const last = joined.at(-1)
      if (last?.kind === 'same') last.text += text
      else joined.push({ kind, text })
    }
  }
  flush()
  return joined
}

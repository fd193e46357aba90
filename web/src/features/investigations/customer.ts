const KEPT = 4

/** A customer's id as reports write it: only its last four characters, and none of a short one. */
export function masked(userId: string): string {
  const letters = Array.from(userId)
  return letters.length > KEPT ? `***${letters.slice(-KEPT).join('')}` : '***'
}

/** Whether the server has masked an id, because the caller's role may not read it. */
export function isMasked(userId: string): boolean {
  return userId.startsWith('***')
}

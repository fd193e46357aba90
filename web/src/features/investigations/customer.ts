const KEPT = 4

/** A customer's id as reports show it: only its last four characters, or none if it is too short. */
export function masked(userId: string): string {
  const letters = Array.from(userId)
  return letters.length > KEPT ? `***${letters.slice(-KEPT).join('')}` : '***'
}

/** Whether the server has masked the id because of the user's role. */
export function isMasked(userId: string): boolean {
  return userId.startsWith('***')
}

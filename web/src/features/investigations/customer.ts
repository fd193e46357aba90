const SHOWN_CHARS = 4

/** A customer's id as reports show it: only its last four characters, or nothing of it if it is no longer than that. */
export function masked(userId: string): string {
  const characters = Array.from(userId)
  return characters.length > SHOWN_CHARS ? `***${characters.slice(-SHOWN_CHARS).join('')}` : '***'
}

/** Whether the server has masked the id because of the user's role. */
export function isMasked(userId: string): boolean {
  return userId.startsWith('***')
}

// A button that copies a text to the clipboard and says whether that worked.
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const SHOWN_MS = 3_000

export function Copy({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await writeToClipboard(text)) ? 'copied' : 'failed')
  return (
    <Button icon={outcome === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      <span role="status">
        {outcome === null ? `Copy ${what}` : outcome === 'copied' ? 'Copied' : 'Copy failed: select the text instead'}
      </span>
    </Button>
  )
}

/** Browsers offer the clipboard only to pages served over HTTPS or from this machine. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

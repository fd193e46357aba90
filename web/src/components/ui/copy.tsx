// A button that puts a text on the clipboard, and says whether it did.
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'

const SAID_MS = 3_000

export function Copy({ text, what }: { text: string; what: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null)
  useEffect(() => {
    if (outcome === null) return
    const timer = setTimeout(() => setOutcome(null), SAID_MS)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => setOutcome((await put(text)) ? 'copied' : 'failed')
  return (
    <Button icon={outcome === 'copied' ? 'check' : 'copy'} onClick={() => void copy()}>
      <span role="status">
        {outcome === null ? `Copy ${what}` : outcome === 'copied' ? 'Copied' : 'Select it and copy by hand'}
      </span>
    </Button>
  )
}

/** Browsers have a clipboard only for pages that came over https or from this machine. */
async function put(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

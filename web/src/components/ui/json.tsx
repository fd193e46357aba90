// Untrusted JSON as a tree. Only open branches are rendered, and long lists and texts only in parts, so that the reader and
// not the sender decides how much is shown.
import { useState } from 'react'
import { Icon } from './icon.tsx'

const OPEN_LEVELS = 2
const ENTRIES_AT_ONCE = 100
const CHARS_AT_ONCE = 2_000
/** Characters that reverse or hide the text around them. They are shown as escapes, not applied. */
const INVISIBLE = /[\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g

interface Props {
  value: unknown
  /** An accessible name, where no heading gives one. */
  label?: string
}

export function Json({ value, label }: Props) {
  const Container = label === undefined ? 'div' : 'section'
  return (
    <Container aria-label={label} className="overflow-x-hidden font-mono text-xs leading-5">
      {typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? (
        <Entries value={value} level={0} />
      ) : (
        <Node value={value} level={0} />
      )}
    </Container>
  )
}

interface NodeProps {
  name?: string
  value: unknown
  level: number
}

function Node({ name, value, level }: NodeProps) {
  if (typeof value === 'object' && value !== null) return <Branch name={name ?? ''} value={value} level={level} />
  return (
    <div className="foreign pl-5">
      <Name name={name ?? ''} />
      <Scalar value={value} />
    </div>
  )
}

function Branch({ name, value, level }: { name: string; value: object; level: number }) {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS)
  const isList = Array.isArray(value)
  const count = isList ? value.length : Object.keys(value).length
  if (count === 0) {
    return (
      <div className="foreign pl-5">
        <Name name={name} />
        {isList ? '[]' : '{}'}
      </div>
    )
  }
  return (
    <div>
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="foreign flex max-w-full items-start text-left hover:bg-sunken"
      >
        <Icon name={isOpen ? 'down' : 'right'} className="mt-0.5 mr-1 text-muted" />
        <span className="min-w-0">
          <Name name={name} />
          <span className="text-muted">{summary(isList, count)}</span>
        </span>
      </button>
      {isOpen && (
        <div className="ml-[7px] border-line border-l pl-2">
          <Entries value={value} level={level + 1} />
        </div>
      )}
    </div>
  )
}

function Entries({ value, level }: { value: object; level: number }) {
  const [shown, setShown] = useState(ENTRIES_AT_ONCE)
  const entries = Object.entries(value)
  return (
    <>
      {entries.slice(0, shown).map(([key, child]) => (
        <Node key={key} name={key} value={child} level={level} />
      ))}
      <More left={entries.length - shown} unit="entries" onMore={() => setShown(shown + ENTRIES_AT_ONCE)} />
    </>
  )
}

function summary(isList: boolean, count: number): string {
  const what = isList ? (count === 1 ? 'item' : 'items') : count === 1 ? 'field' : 'fields'
  return isList ? `[${count} ${what}]` : `{${count} ${what}}`
}

function Name({ name }: { name: string }) {
  if (name === '') return null
  return (
    <>
      <span className="text-muted">{visible(name.slice(0, CHARS_AT_ONCE))}</span>
      <span className="text-muted">: </span>
    </>
  )
}

function Scalar({ value }: { value: unknown }) {
  const [shown, setShown] = useState(CHARS_AT_ONCE)
  if (typeof value !== 'string') return <span className="text-accent">{String(value)}</span>
  return (
    <>
      <span>{visible(JSON.stringify(value.slice(0, shown)))}</span>
      <More left={value.length - shown} unit="characters" onMore={() => setShown(shown + 10 * CHARS_AT_ONCE)} />
    </>
  )
}

function visible(text: string): string {
  return text.replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

function More({ left, unit, onMore }: { left: number; unit: string; onMore: () => void }) {
  if (left <= 0) return null
  return (
    <button type="button" onClick={onMore} className="ml-5 text-accent underline underline-offset-2">
      Show more ({left} {unit} left)
    </button>
  )
}

// The record as a tree that opens branch by branch, or directly at one path.
import { useEffect, useRef } from 'react'
import { isMoney, pointer, valueInWords } from './fact.ts'
import { inWords } from './sections.ts'

/** Further children are only counted. */
const CHILDREN_MAX = 200

interface Props {
  value: unknown
  /** A JSON pointer: the path to open and highlight. */
  at?: string | null
}

export function RecordTree({ value, at = null }: Props) {
  return (
    <div className="overflow-x-auto px-4 py-3 text-sm">
      <Children value={value} path="" at={at} />
    </div>
  )
}

function Children({ value, path, at }: { value: unknown; path: string; at: string | null }) {
  const all = Object.entries(value as object)
  return (
    <ul className="flex flex-col gap-0.5">
      {all.slice(0, CHILDREN_MAX).map(([name, child]) => (
        <Branch
          key={name}
          name={Array.isArray(value) ? `${Number(name) + 1}` : inWords(name)}
          value={child}
          path={pointer(path, name)}
          at={at}
        />
      ))}
      {all.length > CHILDREN_MAX && <li className="text-muted">and {all.length - CHILDREN_MAX} more</li>}
    </ul>
  )
}

function Branch({ name, value, path, at }: { name: string; value: unknown; path: string; at: string | null }) {
  const isHere = at === path
  const here = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isHere) here.current?.scrollIntoView({ block: 'center' })
  }, [isHere])
  const mark = isHere ? 'bg-sunken outline outline-1 outline-accent' : ''
  const isLeaf = typeof value !== 'object' || value === null || isMoney(value)
  return (
    <li ref={here} data-at={isHere || undefined} className={`rounded-sm px-1 ${mark}`}>
      {isLeaf ? (
        <span className="grid grid-cols-[minmax(6rem,12rem)_minmax(0,1fr)] gap-3">
          <span className="foreign text-muted">{name}</span>
          <span className="foreign">{valueInWords(value)}</span>
        </span>
      ) : (
        <Folded name={name} value={value} path={path} at={at} />
      )}
    </li>
  )
}

function Folded({ name, value, path, at }: { name: string; value: object; path: string; at: string | null }) {
  const isAncestor = at !== null && (at === path || at.startsWith(`${path}/`))
  return (
    // The key remounts the branch when another path is requested, so that it opens.
    <details key={isAncestor ? at : ''} open={isAncestor}>
      <summary className="text-muted">
        <span className="foreign text-ink">{titleOf(name, value)}</span> {countOf(value)}
      </summary>
      <div className="ml-2 border-line border-l pl-3">
        <Children value={value} path={path} at={at} />
      </div>
    </details>
  )
}

function titleOf(name: string, value: object): string {
  const title = 'name' in value ? value.name : 'event' in value ? value.event : null
  return typeof title === 'string' ? `${name} · ${inWords(title)}` : name
}

function countOf(value: object): string {
  const count = Object.keys(value).length
  return Array.isArray(value) ? `(${count})` : ''
}

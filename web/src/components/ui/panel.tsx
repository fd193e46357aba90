import type { ReactNode } from 'react'

interface Props {
  title?: ReactNode
  aside?: ReactNode
  children: ReactNode
  className?: string
  label?: string
}

/** A titled, bordered area of a page. */
export function Panel({ title, aside, children, className = '', label }: Props) {
  return (
    <section
      aria-label={label ?? (typeof title === 'string' ? title : undefined)}
      className={`min-w-0 rounded-md border border-line bg-surface ${className}`}
    >
      {(title || aside) && (
        <header className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 gap-y-1 border-line border-b px-4 py-2">
          <h2 className="font-medium">{title}</h2>
          {aside}
        </header>
      )}
      {children}
    </section>
  )
}

/** Names and values, one pair per line. */
export function DefinitionList({ rows }: { rows: [name: string, value: ReactNode][] }) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-sm">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="foreign min-w-28 text-muted">{name}</dt>
          <dd className="foreign">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

import type { ComponentProps, ReactNode } from 'react'

const LOOK = 'h-8 rounded-md border border-line-strong bg-surface px-2.5 text-sm text-ink placeholder:text-muted'

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input className={`${LOOK} min-w-0 ${className}`} {...rest} />
}

export function TextArea({ className = '', ...rest }: ComponentProps<'textarea'>) {
  return <textarea className={`${LOOK} h-auto min-h-20 w-full py-2 ${className}`} {...rest} />
}

interface SelectProps extends Omit<ComponentProps<'select'>, 'onChange'> {
  label: string
  options: [value: string, shown: string][]
  onChange: (value: string) => void
}

/** The browser's own select, which works with every keyboard and screen reader. */
export function Select({ label, options, onChange, className = '', ...rest }: SelectProps) {
  return (
    <select
      aria-label={label}
      className={`${LOOK} pr-7 ${className}`}
      onChange={(event) => onChange(event.target.value)}
      {...rest}
    >
      {options.map(([value, shown]) => (
        <option key={value} value={value}>
          {shown}
        </option>
      ))}
    </select>
  )
}

export function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is among its children.
    <label className="flex flex-col gap-1 text-sm">
      <span className="text-muted">{label}</span>
      {children}
    </label>
  )
}

import type { ComponentProps } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Look = 'plain' | 'primary' | 'danger' | 'quiet'

const LOOKS: Record<Look, string> = {
  plain: 'border-line bg-surface text-ink hover:border-line-strong',
  primary: 'border-accent bg-accent text-on-accent hover:opacity-90',
  danger: 'border-flagged bg-surface text-flagged hover:bg-flagged-tint',
  quiet: 'border-transparent bg-transparent text-muted hover:bg-sunken hover:text-ink',
}

interface Props extends ComponentProps<'button'> {
  look?: Look
  icon?: IconName
}

export function Button({ look = 'plain', icon, className = '', children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={`inline-flex h-8 items-center justify-center gap-1.5 whitespace-nowrap rounded-md border px-3 font-medium text-sm disabled:cursor-not-allowed disabled:opacity-55 ${LOOKS[look]} ${className}`}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** A button that shows only an icon; `label` is its accessible name and tooltip. */
export function IconButton({ icon, label, className = '', ...rest }: Props & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink disabled:opacity-55 ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

// Badges: an icon and a word in the colour of the risk. Colour never carries the meaning alone.
import type { Schemas } from '@/api/client.ts'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'safe' | 'warning' | 'flagged' | 'neutral'

const TONES: Record<Tone, string> = {
  safe: 'bg-safe-tint text-safe',
  warning: 'bg-warning-tint text-warning',
  flagged: 'bg-flagged-tint text-flagged',
  neutral: 'bg-sunken text-muted',
}

const ICONS: Record<Tone, IconName> = { safe: 'check', warning: 'warning', flagged: 'flag', neutral: 'dot' }

export function Badge({ tone, children, icon = ICONS[tone] }: { tone: Tone; children: string; icon?: IconName }) {
  return (
    <span
      data-tone={tone}
      className={`inline-flex items-center gap-1 whitespace-nowrap rounded-sm px-1.5 py-0.5 font-medium text-xs ${TONES[tone]}`}
    >
      <Icon name={icon} size={13} />
      {children}
    </span>
  )
}

const STATUS_TONES: Record<string, Tone> = { Safe: 'safe', Warning: 'warning', Flagged: 'flagged' }

/** Green for Safe, amber for Warning, red for Flagged, grey for anything without a verdict yet. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUS_TONES[status] ?? 'neutral'}>{status}</Badge>
}

const SEVERITY_TONES: Record<Schemas['Severity'], Tone> = {
  low: 'neutral',
  medium: 'warning',
  high: 'flagged',
  critical: 'flagged',
}

export function SeverityBadge({ severity }: { severity: string }) {
  const known = severity.toLowerCase() as Schemas['Severity']
  const tone = SEVERITY_TONES[known] ?? 'neutral'
  if (known !== 'critical') return <Badge tone={tone}>{severity.toUpperCase()}</Badge>
  return (
    <span
      data-tone="flagged"
      className="inline-flex items-center gap-1 whitespace-nowrap rounded-sm bg-flagged px-1.5 py-0.5 font-medium text-canvas text-xs"
    >
      <Icon name="flag" size={13} />
      CRITICAL
    </span>
  )
}

/** Marks simulated content. `short` is shown instead of `what` on narrow screens. */
export function Simulated({ what = 'Simulated', short }: { what?: string; short?: string }) {
  return (
    <span
      title="No model is configured: the answers are made up by the server itself."
      className="inline-flex items-center whitespace-nowrap rounded-sm border border-line-strong border-dashed px-1.5 py-px text-muted text-xs"
    >
      {short ? (
        <>
          <span className="sm:hidden">{short}</span>
          <span className="hidden sm:inline">{what}</span>
        </>
      ) : (
        what
      )}
    </span>
  )
}

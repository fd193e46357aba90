// A text with the words of its findings marked. Hovering, focusing or tapping a mark shows its findings.
import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useMemo } from 'react'
import { findingName } from '../finding-names.ts'
import { COUNTED_FROM, type Finding, KINDS, type Kind } from '../log.ts'
import { LOOKS, OFFSETS } from './kinds.ts'
import { type Segment, segments } from './marks.ts'

export interface MarkedFinding {
  /** Identifies the finding on the page, in its marks and in the list. */
  id: string
  finding: Finding
}

export function Marked({ text, found }: { text: string; found: MarkedFinding[] }) {
  const cut = useMemo(
    () =>
      segments(
        text,
        found.map(({ finding }) => finding),
      ),
    [text, found],
  )
  const seen = new Set<string>()
  return (
    <div className="foreign rounded-md border border-line bg-canvas px-3 py-2 leading-7">
      {text === '' && <span className="text-muted">(empty)</span>}
      {cut.map((segment) => {
        if (segment.findings.length === 0) return <span key={segment.start}>{segment.text}</span>
        const here = segment.findings.flatMap((at) => found[at] ?? []).sort((a, b) => lengthOf(a) - lengthOf(b))
        // A finding that overlaps others is split into pieces; its id goes to the first piece.
        const first = here.find(({ id }) => !seen.has(id) && seen.add(id))
        return <Mark key={segment.start} segment={segment} found={here} id={first && markId(first.id)} />
      })}
    </div>
  )
}

/** Shorter findings are more specific: they come first and set the background. */
function lengthOf({ finding: { start, end } }: MarkedFinding): number {
  return end - start
}

export function markId(findingId: string): string {
  return `mark-${findingId}`
}

/** Explains the marks of the kinds that were found. */
export function Legend({ found }: { found: MarkedFinding[] }) {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => found.some(({ finding }) => finding.kind === kind))
  if (kinds.length === 0) return null
  return (
    <ul aria-label="Marks" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {kinds.map((kind) => (
        <li key={kind}>
          <span className={`px-0.5 underline-offset-2 ${LOOKS[kind].background} ${LOOKS[kind].underline}`}>
            {KINDS[kind].name}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Mark({ segment, found, id }: { segment: Segment; found: MarkedFinding[]; id: string | undefined }) {
  const kinds = [...new Set(found.map(({ finding }) => finding.kind))]
  const counted = found.find(({ finding }) => finding.score >= COUNTED_FROM)?.finding.kind
  const names = kinds.map((kind) => KINDS[kind]?.name ?? kind).join(', ')
  return (
    <Popover.Root>
      <Popover.Trigger
        openOnHover
        delay={60}
        closeDelay={60}
        nativeButton={false}
        aria-label={`${names}: ${segment.text}`}
        render={
          <mark
            id={id}
            data-kinds={kinds.join(' ')}
            className={`cursor-pointer rounded-[2px] text-ink ${counted ? LOOKS[counted]?.background : 'bg-transparent'}`}
          />
        }
      >
        <Underlined kinds={kinds} text={segment.text} />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className="z-[60]">
          <Popover.Popup
            aria-label={`Why this is marked: ${names}`}
            className="flex max-w-[min(380px,calc(100vw-16px))] flex-col gap-2 rounded-md border border-line-strong bg-surface px-3 py-2 text-ink text-sm outline-none"
          >
            {found.map(({ id, finding }) => (
              <p key={id}>
                <span className={`font-medium ${LOOKS[finding.kind]?.text}`}>{findingName(finding.type)}</span>{' '}
                <span className="text-muted">
                  {finding.severity}, {finding.score.toFixed(2)}
                </span>
                <span className="foreign block">{finding.explanation}</span>
              </p>
            ))}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** One underline for each kind, stacked. */
function Underlined({ kinds, text, depth = 0 }: { kinds: Kind[]; text: string; depth?: number }): ReactNode {
  const kind = kinds[depth]
  if (kind === undefined) return text
  return (
    <span className={`${LOOKS[kind]?.underline} ${OFFSETS[depth]}`}>
      <Underlined kinds={kinds} text={text} depth={depth + 1} />
    </span>
  )
}

// A text with the words marked that something was found in. Each mark says what, when it is pointed at, focused or tapped.
import { Popover } from '@base-ui/react/popover'
import { type ReactNode, useMemo } from 'react'
import { DECIDED, type Finding, KINDS, type Kind } from '../log.ts'
import { LOOKS, OFFSETS } from './kinds.ts'
import { type Segment, segments } from './marks.ts'

export interface Found {
  /** Names the finding on the page: its marks and its place in the list. */
  id: string
  finding: Finding
}

export function Marked({ text, found }: { text: string; found: Found[] }) {
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
        // A finding that others cut into pieces is found at the first of them.
        const first = here.find(({ id }) => !seen.has(id) && seen.add(id))
        return <Mark key={segment.start} segment={segment} found={here} id={first && markId(first.id)} />
      })}
    </div>
  )
}

/** The narrower finding says more about the words: it comes first and gives the ground. */
function lengthOf({ finding: { start, end } }: Found): number {
  return end - start
}

export function markId(findingId: string): string {
  return `mark-${findingId}`
}

/** Only the kinds that were found. */
export function Legend({ found }: { found: Found[] }) {
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) => found.some(({ finding }) => finding.kind === kind))
  if (kinds.length === 0) return null
  return (
    <ul aria-label="Marks" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {kinds.map((kind) => (
        <li key={kind}>
          <span className={`px-0.5 underline-offset-2 ${LOOKS[kind].ground} ${LOOKS[kind].line}`}>
            {KINDS[kind].name}
          </span>
        </li>
      ))}
    </ul>
  )
}

function Mark({ segment, found, id }: { segment: Segment; found: Found[]; id: string | undefined }) {
  const kinds = [...new Set(found.map(({ finding }) => finding.kind))]
  const decided = found.find(({ finding }) => finding.score >= DECIDED)?.finding.kind
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
            className={`cursor-pointer rounded-[2px] text-ink ${decided ? LOOKS[decided]?.ground : 'bg-transparent'}`}
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
                <span className={`font-medium ${LOOKS[finding.kind]?.text}`}>{finding.type}</span>{' '}
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

/** One line for each kind, one below the other. */
function Underlined({ kinds, text, depth = 0 }: { kinds: Kind[]; text: string; depth?: number }): ReactNode {
  const kind = kinds[depth]
  if (kind === undefined) return text
  return (
    <span className={`${LOOKS[kind]?.line} ${OFFSETS[depth]}`}>
      <Underlined kinds={kinds} text={text} depth={depth + 1} />
    </span>
  )
}

// A section's text with the words that come from facts underlined. Hovering, focusing or tapping them shows the fact.
import { Popover } from '@base-ui/react/popover'
import { type FocusEvent, useMemo, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { pathInWords, valueInWords } from './fact.ts'
import { useRecordHref } from './record-href.ts'
import { cut, type Piece } from './traced.ts'

type Fact = Schemas['Fact']

interface Props {
  text: string
  facts: Fact[]
  context: unknown
  reportId: string
}

export function TracedText({ text, facts, context, reportId }: Props) {
  const pieces = useMemo(() => cut(text, facts), [text, facts])
  const recordHref = useRecordHref(reportId)
  let at = 0
  return (
    <p className="foreign max-w-[76ch] leading-relaxed">
      {pieces.map((piece) => {
        const key = at
        at += piece.text.length
        return <TextPiece key={key} piece={piece} context={context} recordHref={recordHref} />
      })}
    </p>
  )
}

interface TextPieceProps {
  piece: Piece<Fact>
  context: unknown
  recordHref: (path: string) => string
}

function TextPiece({ piece, context, recordHref }: TextPieceProps) {
  const { text, span, isCode, isBacktick } = piece
  if (isBacktick) return null
  const words = isCode ? <code className="font-mono text-[0.93em]">{text}</code> : text
  if (span === null) return words
  return (
    <FactTip fact={span} source={pathInWords(span.path, context)} href={recordHref(span.path)}>
      {words}
    </FactTip>
  )
}

interface TipProps {
  fact: Fact
  source: string
  /** The address of the fact in the record. */
  href: string
  children: React.ReactNode
}

function FactTip({ fact, source, href, children }: TipProps) {
  const [isOpen, setOpen] = useState(false)
  const popup = useRef<HTMLDivElement>(null)
  const openForKeyboard = ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
    // Focus that returns from the popup must not open it again.
    const isReturning = relatedTarget instanceof Node && popup.current?.contains(relatedTarget)
    if (!isReturning && currentTarget.matches(':focus-visible')) setOpen(true)
  }
  return (
    <Popover.Root open={isOpen} onOpenChange={setOpen}>
      <Popover.Trigger
        openOnHover
        delay={80}
        closeDelay={80}
        onFocus={openForKeyboard}
        nativeButton={false}
        render={<span />}
        data-fact={fact.path}
        className="cursor-help underline decoration-dotted decoration-line-strong underline-offset-3 hover:decoration-accent hover:decoration-solid data-[popup-open]:bg-sunken"
      >
        {children}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={6} collisionPadding={8} className="z-[60]">
          <Popover.Popup
            ref={popup}
            initialFocus={false}
            className="flex max-w-[min(400px,calc(100vw-16px))] flex-col gap-1 rounded-md border border-line-strong bg-surface px-3 py-2 text-ink text-sm outline-none"
          >
            <Popover.Title className="text-muted text-xs">From the record: {source}</Popover.Title>
            <span className="foreign max-h-40 overflow-y-auto font-medium">{valueInWords(fact.value)}</span>
            <Link
              href={href}
              onClick={() => setOpen(false)}
              className="self-start text-accent text-xs underline underline-offset-2"
            >
              Show in the record
            </Link>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

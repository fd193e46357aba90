import { Popover } from '@base-ui/react/popover'
import { Icon } from '@/components/ui/icon.tsx'
import { eventName } from '@/ledger/event-names.ts'
import { EVENT_TYPES } from './event-types.ts'

interface Props {
  chosen: string[]
  onChange: (types: string[]) => void
}

/** Chooses several event types, grouped by topic. */
export function TypeFilter({ chosen, onChange }: Props) {
  const known = new Set(EVENT_TYPES.flatMap(([, types]) => types))
  const others = chosen.filter((type) => !known.has(type))
  const groups: typeof EVENT_TYPES = others.length > 0 ? [...EVENT_TYPES, ['Other', others]] : EVENT_TYPES
  const toggle = (type: string) =>
    onChange(chosen.includes(type) ? chosen.filter((other) => other !== type) : [...chosen, type])
  return (
    <Popover.Root>
      <Popover.Trigger className="inline-flex h-8 items-center gap-1.5 whitespace-nowrap rounded-md border border-line-strong bg-surface px-2.5 text-sm">
        {label(chosen)}
        <Icon name="down" />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner sideOffset={4} align="start" collisionPadding={8} className="z-[60]">
          <Popover.Popup
            aria-label="Event types"
            className="max-h-[60vh] w-[min(640px,calc(100vw-16px))] overflow-y-auto rounded-md border border-line-strong bg-surface p-3 text-ink text-sm outline-none"
          >
            <div className="grid gap-x-6 gap-y-3 sm:grid-cols-2">
              {groups.map(([group, types]) => (
                <fieldset key={group} className="min-w-0">
                  <legend className="pb-1 text-muted">{group}</legend>
                  {types.map((type) => (
                    <label key={type} className="flex min-w-0 items-center gap-2 py-0.5">
                      <input
                        type="checkbox"
                        checked={chosen.includes(type)}
                        onChange={() => toggle(type)}
                        className="size-4 shrink-0 accent-accent"
                      />
                      <span title={type} className="foreign-line">
                        {eventName(type)}
                      </span>
                    </label>
                  ))}
                </fieldset>
              ))}
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

function label(chosen: string[]): string {
  if (chosen.length === 0) return 'All types'
  return chosen.length === 1 ? eventName(chosen[0] ?? '') : `${chosen.length} types`
}

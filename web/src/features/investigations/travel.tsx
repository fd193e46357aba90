// The trip between the previous transaction and this one: its distance, duration and required speed.
import { Badge } from '@/components/ui/badge.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { number } from '@/components/ui/value.tsx'
import type { Trip } from './signals.ts'

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' })

export function Travel({ trip, city }: { trip: Trip; city: string | null }) {
  const isTooFast = trip.limitKmh !== null && trip.speedKmh >= trip.limitKmh
  return (
    <Panel
      title="Travel since the previous transaction"
      aside={trip.isNewCountry && <Badge tone="warning">New country</Badge>}
    >
      <div className="flex flex-col gap-4 px-4 py-4">
        <div className="grid grid-cols-[auto_minmax(3rem,1fr)_auto] items-center gap-3">
          <TripEnd name={country(trip.from)} note="previous transaction" />
          <div className="flex flex-col items-center gap-0.5 text-center text-sm">
            <span className="font-medium">{number(trip.distanceKm)} km</span>
            <span aria-hidden="true" className="h-px w-full bg-line-strong" />
            <span className="text-muted">{trip.elapsed === null ? 'time unknown' : `in ${trip.elapsed}`}</span>
          </div>
          <TripEnd name={country(trip.to)} note={city ?? 'this transaction'} />
        </div>
        <Speed trip={trip} isTooFast={isTooFast} />
      </div>
    </Panel>
  )
}

function TripEnd({ name, note }: { name: string; note: string }) {
  return (
    <span className="flex max-w-40 flex-col">
      <span className="foreign font-semibold">{name}</span>
      <span className="foreign text-muted text-sm">{note}</span>
    </span>
  )
}

function Speed({ trip: { speedKmh, limitKmh }, isTooFast }: { trip: Trip; isTooFast: boolean }) {
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          The trip would need <span className="font-semibold">{number(speedKmh)} km/h</span>
          {limitKmh !== null && `, against a limit of ${number(limitKmh)} km/h`}.
        </span>
        {limitKmh !== null && (
          <Badge tone={isTooFast ? 'flagged' : 'safe'}>{isTooFast ? 'Impossible travel' : 'Possible'}</Badge>
        )}
      </p>
      {limitKmh !== null && (
        <div aria-hidden="true" className="relative h-2 max-w-xl rounded-sm bg-sunken">
          <div
            className={`h-full rounded-sm ${isTooFast ? 'bg-flagged' : 'bg-safe'}`}
            style={{ width: `${Math.min(100, (speedKmh / (limitKmh * 2)) * 100)}%` }}
          />
          <div className="absolute -top-1 -bottom-1 left-1/2 w-px bg-ink" />
        </div>
      )}
    </div>
  )
}

/** The name of a country, or the code itself if it is unknown. */
export function country(code: string): string {
  try {
    return COUNTRIES.of(code) ?? code
  } catch {
    return code
  }
}

// The versions of a report, and the differences between two of them.
import { useQuery } from '@tanstack/react-query'
import { Link, useSearchParams } from 'wouter'
import type { Schemas } from '@/api/client.ts'
import { Select } from '@/components/ui/field.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Failed, Loading } from '@/components/ui/states.tsx'
import { Hash, When } from '@/components/ui/value.tsx'
import { type Change, difference } from './diff.ts'
import { reportQuery, versionsQuery } from './queries.ts'
import { SECTIONS } from './sections.ts'
import { PassBadge } from './verdict.tsx'

export function Versions({ report }: { report: Schemas['Report'] }) {
  const versions = useQuery(versionsQuery(report.id))
  const [search, setSearch] = useSearchParams()
  const against = search.get('against')
  const others = (versions.data ?? []).filter(({ id }) => id !== report.id)
  const compare = (id: string) => {
    setSearch((old) => {
      const next = new URLSearchParams(old)
      if (id === '') next.delete('against')
      else next.set('against', id)
      return next
    })
  }
  return (
    <Panel
      title="Versions"
      aside={
        others.length > 0 && (
          <Select
            label="Compare with"
            value={against ?? ''}
            onChange={compare}
            options={[
              ['', 'Compare with…'],
              ...others.map((one): [string, string] => [one.id, `version ${one.version}`]),
            ]}
          />
        )
      }
    >
      {versions.isPending && <Loading rows={1} label="Loading the versions" />}
      {versions.isError && (
        <Failed what="The versions" problem={versions.error} retry={() => void versions.refetch()} />
      )}
      <ol className="flex flex-col px-4 py-2 text-sm">
        {versions.data?.map((version) => (
          <Version key={version.id} version={version} isShown={version.id === report.id} />
        ))}
      </ol>
      {against !== null && against !== report.id && <Differences key={against} report={report} against={against} />}
    </Panel>
  )
}

function Version({ version, isShown }: { version: Schemas['ReportRow']; isShown: boolean }) {
  const name = `Version ${version.version}`
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1">
      {isShown ? (
        <span className="font-medium">{name}, shown here</span>
      ) : (
        <Link href={`/reports/${version.id}`} className="text-accent underline underline-offset-2">
          {name}
        </Link>
      )}
      {version.is_current && <span className="text-muted">Current</span>}
      <PassBadge passed={version.passed} />
      {typeof version.validation_score === 'number' && <span>{version.validation_score} of 100</span>}
      {version.generated_at && (
        <span className="text-muted">
          <When at={version.generated_at} />
        </span>
      )}
      {version.content_hash && <Hash value={version.content_hash} />}
    </li>
  )
}

function Differences({ report, against }: { report: Schemas['Report']; against: string }) {
  const other = useQuery(reportQuery(against))
  if (other.isPending) return <Loading label="Loading the other version" />
  if (other.isError) {
    return <Failed what="The other version" problem={other.error} retry={() => void other.refetch()} />
  }
  const [before, after] = other.data.version <= report.version ? [other.data, report] : [report, other.data]
  const changed = SECTIONS.map(({ name, heading }) => ({
    name,
    heading,
    changes: difference(before[name], after[name]),
  })).filter(({ changes }) => changes.some(({ kind }) => kind !== 'same'))
  return (
    <div className="flex flex-col gap-4 border-line border-t px-4 py-3">
      <p className="text-muted text-sm">
        From version {before.version} to version {after.version}.{' '}
        {changed.length === 0 && 'The sections are the same, word for word.'}
      </p>
      {changed.map(({ name, heading, changes }) => (
        <section key={name} aria-label={`Changes in ${heading}`} className="flex flex-col gap-1">
          <h3 className="font-medium text-sm">{heading}</h3>
          <ChangedText changes={changes} />
        </section>
      ))}
    </div>
  )
}

/** Removed words are struck through and added words underlined, so that colour is not needed to tell them apart. */
export function ChangedText({ changes }: { changes: Change[] }) {
  return (
    <p className="foreign max-w-[76ch] leading-relaxed">
      {changes.map(({ kind, text }, at) => {
        const key = `${at} ${kind}`
        if (kind === 'removed') {
          return (
            <del key={key} className="bg-flagged-tint text-flagged line-through">
              {text}
            </del>
          )
        }
        if (kind === 'added') {
          return (
            <ins key={key} className="bg-safe-tint text-safe underline">
              {text}
            </ins>
          )
        }
        return <span key={key}>{text}</span>
      })}
    </p>
  )
}

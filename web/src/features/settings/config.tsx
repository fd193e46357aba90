// The server's configuration and the source of each value. Secrets arrive masked.
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useSearchParams } from 'wouter'
import { useHasRole } from '@/api/session.ts'
import { Simulated } from '@/components/ui/badge.tsx'
import { TextInput } from '@/components/ui/field.tsx'
import { Panel } from '@/components/ui/panel.tsx'
import { Empty, Failed, Loading } from '@/components/ui/states.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { configQuery, type Setting } from './queries.ts'

const NO_PREFIX = 'server'

export function Config() {
  if (useHasRole('admin')) return <Configured />
  return (
    <Panel title="Configuration">
      <p className="px-4 py-3 text-muted text-sm">Only admins can view the configuration.</p>
    </Panel>
  )
}

function Configured() {
  const config = useQuery(configQuery)
  const [search, setSearch] = useSearchParams()
  const query = search.get('q') ?? ''
  const field = useRef<HTMLInputElement>(null)
  useShortcut('/', 'Search', () => field.current?.focus())
  return (
    <Panel
      title="Configuration"
      aside={
        <TextInput
          ref={field}
          type="search"
          aria-label="Search the configuration"
          placeholder="Name, value or variable"
          value={query}
          onChange={({ target }) => setSearch(target.value === '' ? {} : { q: target.value }, { replace: true })}
          className="w-full sm:w-72"
        />
      }
    >
      {config.data ? (
        <Groups settings={config.data.filter((setting) => isMatch(setting, query))} isSearch={query.trim() !== ''} />
      ) : config.isError ? (
        <Failed what="The configuration" problem={config.error} retry={() => void config.refetch()} />
      ) : (
        <Loading rows={10} label="Loading the configuration" />
      )}
    </Panel>
  )
}

function isMatch({ key, value, variable, description, source }: Setting, query: string): boolean {
  const words = query.toLowerCase().split(/\s+/)
  const text = [key, value, variable, description, source].join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

function Groups({ settings, isSearch }: { settings: Setting[]; isSearch: boolean }) {
  if (settings.length === 0) return <Empty title="No settings match">Try part of a name, such as timeout.</Empty>
  const groups = new Map<string, Setting[]>()
  for (const setting of settings) {
    const name = prefix(setting.key)
    groups.set(name, [...(groups.get(name) ?? []), setting])
  }
  return (
    <div className="divide-y divide-line">
      {[...groups].map(([name, group]) => (
        <Group key={`${name} ${isSearch}`} name={name} group={group} isOpen={isSearch || changed(group) > 0} />
      ))}
    </div>
  )
}

/** Groups with changed settings start open. */
function Group({ name, group, isOpen }: { name: string; group: Setting[]; isOpen: boolean }) {
  const changedCount = changed(group)
  return (
    <details open={isOpen}>
      <summary className="px-4 py-2 text-sm hover:bg-sunken">
        <span className="foreign font-medium">{name}</span>{' '}
        <span className="text-muted">
          {group.length} {group.length === 1 ? 'setting' : 'settings'},{' '}
          {changedCount === 0 ? 'all default' : `${changedCount} changed`}
        </span>
      </summary>
      <ul className="divide-y divide-line border-line border-t">
        {group.map((setting) => (
          <OneSetting key={setting.key} setting={setting} />
        ))}
      </ul>
    </details>
  )
}

function changed(group: Setting[]): number {
  return group.filter(({ source }) => source !== 'default').length
}

function prefix(key: string): string {
  return key.includes('.') ? (key.split('.')[0] ?? NO_PREFIX) : NO_PREFIX
}

function OneSetting({ setting }: { setting: Setting }) {
  const isDefault = setting.source === 'default'
  return (
    <li className="grid grid-cols-1 gap-x-6 gap-y-0.5 px-4 py-1.5 text-sm lg:grid-cols-[minmax(0,4fr)_minmax(0,4fr)_minmax(0,6fr)_minmax(0,5fr)] lg:pl-8">
      <code className="foreign font-mono text-xs lg:pt-px">{setting.key}</code>
      <span className={`foreign ${isDefault ? 'text-muted' : 'font-medium'}`}>
        {setting.value === 'simulated' ? <Simulated /> : setting.value}
      </span>
      <span className="text-muted">{setting.description}</span>
      <span className="foreign text-muted text-xs lg:pt-px">
        {SOURCES[setting.source] ?? setting.source}
        {setting.variable && (
          <>
            {' · '}
            <code className="font-mono">{setting.variable}</code>
          </>
        )}
      </span>
    </li>
  )
}

const SOURCES: Record<string, string> = {
  default: 'default',
  flag: 'flag',
  environment: 'environment variable',
  file: 'configuration file',
}

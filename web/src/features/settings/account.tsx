// The user's name, role and permissions, the sign-in form on this machine, and the theme.
import { useSession } from '@/api/session.ts'
import { KeyForm } from '@/components/session/key-form.tsx'
import { Select } from '@/components/ui/field.tsx'
import { DefinitionList, Panel } from '@/components/ui/panel.tsx'
import { chooseTheme, followSystem, useChosenTheme } from '@/theme/theme.ts'

const PERMISSIONS: Record<string, string> = {
  viewer: 'View everything except access keys and configuration, with customer records masked.',
  investigator: 'Everything a viewer can do, and work on cases, request reports and submit work.',
  reviewer: 'Everything an investigator can do, and decide on reports.',
  admin: 'Everything, including pausing agents, replaying dead letters, and creating and revoking access keys.',
}

export function Account() {
  const { name, role, csrf, version } = useSession()
  const isLocal = csrf === null
  return (
    <Panel title="Your account">
      <div className="flex flex-col gap-4 px-4 py-3">
        <DefinitionList
          rows={[
            ['Name', isLocal ? 'Local user (no key needed on this machine)' : name],
            ['Role', role],
            ['Permissions', role === null ? null : PERMISSIONS[role]],
            ['Server', `Countersign ${version}`],
            ['Theme', <ThemeChoice key="theme" />],
          ]}
        />
        {isLocal && (
          <details className="text-sm">
            <summary className="text-muted hover:text-ink">Sign in with a key</summary>
            <p className="max-w-prose py-2 text-muted">
              Signing in gives you the key’s name and role. This lets two people review each other’s work on one
              machine: four-eyes review needs named people, and without a key everyone is the same local user.
            </p>
            <div className="max-w-md">
              <KeyForm />
            </div>
          </details>
        )}
      </div>
    </Panel>
  )
}

function ThemeChoice() {
  const chosen = useChosenTheme()
  return (
    <Select
      label="Theme"
      value={chosen ?? 'system'}
      options={[
        ['system', 'Same as system'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChange={(theme) => (theme === 'light' || theme === 'dark' ? chooseTheme(theme) : followSystem())}
    />
  )
}

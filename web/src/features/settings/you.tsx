// Who is looking, and how it looks.
import { useSession } from '@/api/session.ts'
import { KeyForm } from '@/components/session/key-form.tsx'
import { Select } from '@/components/ui/field.tsx'
import { Facts, Panel } from '@/components/ui/panel.tsx'
import { chooseTheme, followSystem, useChosenTheme } from '@/theme/theme.ts'

const MAY: Record<string, string> = {
  viewer: 'See everything but keys and configuration.',
  investigator: 'See everything but keys and configuration, take cases, ask for reports and send work in.',
  reviewer: 'What an investigator may, and decide about reports.',
  admin: 'Everything: also pause agents, replay dead letters, make and revoke keys.',
}

export function You() {
  const { name, role, csrf, version } = useSession()
  const isLocal = csrf === null
  return (
    <Panel title="You">
      <div className="flex flex-col gap-4 px-4 py-3">
        <Facts
          rows={[
            ['Name', isLocal ? 'local: no key is needed on this machine' : name],
            ['Role', role],
            ['May', role === null ? null : MAY[role]],
            ['Server', `Countersign ${version}`],
            ['Theme', <ThemeChoice key="theme" />],
          ]}
        />
        {isLocal && (
          <details className="text-sm">
            <summary className="text-muted hover:text-ink">Sign in with a key</summary>
            <p className="max-w-prose py-2 text-muted">
              You are then the one that the key names, with its role. That is how two people review each other on one
              machine: the four-eyes rule binds named people, and everybody without a key is the same.
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
        ['system', 'As the system'],
        ['light', 'Light'],
        ['dark', 'Dark'],
      ]}
      onChange={(theme) => (theme === 'light' || theme === 'dark' ? chooseTheme(theme) : followSystem())}
    />
  )
}

// The settings page: the user's account, access keys, providers, detection rules and configuration. The configuration is
// read-only here; it is changed where the server is started.
import { Account } from './account.tsx'
import { Config } from './config.tsx'
import { Keys } from './keys.tsx'
import { Providers } from './providers.tsx'
import { Rules } from './rules.tsx'

export default function SettingsPage() {
  return (
    <div className="flex flex-col gap-4">
      <h1 className="font-medium text-xl">Settings</h1>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <Account />
          <Keys />
          <Providers />
        </div>
        <Rules />
      </div>
      <Config />
    </div>
  )
}

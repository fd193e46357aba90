// Settings: who is looking, what the server works with, who else may, and how it is configured. Configuration is read here
// and changed where the server is started.
import { Config } from './config.tsx'
import { Keys } from './keys.tsx'
import { Providers } from './providers.tsx'
import { Rules } from './rules.tsx'
import { You } from './you.tsx'

export default function SettingsPage() {
  return (
    <div className="flex flex-col gap-4">
      <h1 className="font-medium text-xl">Settings</h1>
      <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <You />
          <Keys />
          <Providers />
        </div>
        <Rules />
      </div>
      <Config />
    </div>
  )
}

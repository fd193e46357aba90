// The frame around every page: menu, connection and ledger status, user, theme, footer and global shortcuts.
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useSession } from '@/api/session.ts'
import { Simulated } from '@/components/ui/badge.tsx'
import { IconButton } from '@/components/ui/button.tsx'
import { useShortcut } from '@/keyboard.tsx'
import { chooseTheme, useTheme } from '@/theme/theme.ts'
import { ConnectionIndicator } from './connection.tsx'
import { Help } from './help.tsx'
import { LedgerStatus } from './ledger-status.tsx'
import { SignedInUser } from './user.tsx'

/** The menu entries. `pattern` matches every path that belongs to an entry; reports belong to investigations. */
const PAGES: [path: string, name: string, pattern: RegExp][] = [
  ['/', 'Live', /^\/$/],
  ['/investigations', 'Investigations', /^\/(investigations|reports)/],
  ['/agents', 'Agents', /^\/agents/],
  ['/ledger', 'Ledger', /^\/ledger/],
  ['/settings', 'Settings', /^\/settings/],
]

export function Shell({ children }: { children: ReactNode }) {
  const [isHelpOpen, setHelpOpen] = useState(false)
  useShortcut('?', 'Show keyboard shortcuts', () => setHelpOpen(true))
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="absolute left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-30 border-line border-b bg-surface">
        <div className="flex min-h-12 flex-wrap items-center gap-x-4 px-3 sm:px-5">
          <Brand />
          <Menu />
          <div className="ml-auto flex items-center gap-3 text-sm">
            <ConnectionIndicator />
            <LedgerStatus />
            <SignedInUser />
            <ThemeButton />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="mx-auto w-full max-w-[1760px] flex-1 px-3 py-4 outline-none sm:px-5">
        {children}
      </main>
      <Footer onHelp={() => setHelpOpen(true)} />
      <Help open={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}

function Brand() {
  const { is_simulated, is_demo } = useSession()
  return (
    <span className="flex items-center gap-2 py-2">
      <Link href="/" className="font-semibold">
        Countersign
      </Link>
      {is_demo && <Simulated what="Demo: all data simulated" short="Demo" />}
      {is_simulated && !is_demo && <Simulated what="Simulated model" short="Simulated" />}
    </span>
  )
}

function Menu() {
  const [location] = useLocation()
  const here = PAGES.find(([, , pattern]) => pattern.test(location))?.[1]
  useEffect(() => {
    document.title = here === undefined ? 'Countersign' : `${here} · Countersign`
  }, [here])
  return (
    <nav aria-label="Pages" className="order-last -mx-1 flex w-full overflow-x-auto sm:gap-1 lg:order-none lg:w-auto">
      {PAGES.map(([path, name, pattern]) => (
        <Link
          key={path}
          href={path}
          aria-current={pattern.test(location) ? 'page' : undefined}
          className="border-transparent border-b-2 px-1.5 py-2.5 text-muted hover:text-ink aria-[current]:border-accent aria-[current]:text-ink sm:px-3"
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

function ThemeButton() {
  const theme = useTheme()
  const other = theme === 'dark' ? 'light' : 'dark'
  return (
    <IconButton
      icon={theme === 'dark' ? 'sun' : 'moon'}
      label={`Switch to ${other} theme`}
      onClick={() => chooseTheme(other)}
    />
  )
}

function Footer({ onHelp }: { onHelp: () => void }) {
  const { version } = useSession()
  return (
    <footer className="flex flex-wrap gap-x-4 gap-y-1 border-line border-t px-3 py-3 text-muted text-xs sm:px-5">
      <span>Countersign {version}</span>
      <a href="/api/docs" className="underline underline-offset-2 hover:text-ink">
        API reference
      </a>
      <button type="button" onClick={onHelp} className="underline underline-offset-2 hover:text-ink">
        Keyboard shortcuts (?)
      </button>
    </footer>
  )
}

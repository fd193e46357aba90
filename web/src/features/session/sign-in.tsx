// The sign-in page. The key goes to the server once; the response sets a cookie that scripts can't read.
import { KeyForm } from '@/components/session/key-form.tsx'
import { Icon } from '@/components/ui/icon.tsx'

export default function SignInPage({ hasEnded = false }: { hasEnded?: boolean }) {
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-[440px] flex-col justify-center gap-5 px-4 py-10">
      <header className="flex flex-col gap-1">
        <p className="font-semibold">Countersign</p>
        <h1 className="font-medium text-xl">Sign in</h1>
      </header>
      {hasEnded && (
        <p role="status" className="flex gap-2 rounded-md bg-warning-tint px-3 py-2 text-sm text-warning">
          <Icon name="warning" className="mt-0.5" />
          <span>
            Your session has ended: it timed out, its key expired or was revoked, or the server restarted. Everything
            you had submitted is saved.
          </span>
        </p>
      )}
      <KeyForm autoFocus />
      <WhereKeysComeFrom />
    </main>
  )
}

function WhereKeysComeFrom() {
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-4 text-muted text-sm">
      <p>The server’s operator creates access keys on its machine:</p>
      <code className="foreign rounded-md border border-line bg-sunken px-3 py-2 font-mono text-ink text-xs">
        countersign keys create --role viewer --name "Ana, night shift"
      </code>
      <p>
        A key is shown once, and its role decides what you may do. This page does not store it. A session ends after 12
        hours, or after 2 hours without activity.
      </p>
    </div>
  )
}

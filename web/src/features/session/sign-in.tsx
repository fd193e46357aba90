// What strangers see: one field for a key. The key goes to the server once; what comes back is a cookie that scripts can't read.
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
            Your session has ended: its time was up, its key was revoked or has expired, or the server was started
            again. Nothing that you sent before was lost.
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
      <p>Whoever runs the server makes keys, on its machine:</p>
      <code className="foreign rounded-md border border-line bg-sunken px-3 py-2 font-mono text-ink text-xs">
        countersign keys create --role viewer --name "Ana, night shift"
      </code>
      <p>
        A key is shown once and decides what you may do. This page keeps it nowhere: the session ends after 12 hours, or
        after 2 without use.
      </p>
    </div>
  )
}

// Who is looking, and the way out.
import { useSession } from '@/api/session.ts'
import { Icon } from '@/components/ui/icon.tsx'

export function WhoIsLooking() {
  const { name, role } = useSession()
  if (name === null || name === 'local') return null
  return (
    <span className="hidden items-center gap-1.5 text-muted md:flex">
      <Icon name="person" />
      <span className="foreign-line max-w-40">{name}</span>
      <span>({role})</span>
    </span>
  )
}

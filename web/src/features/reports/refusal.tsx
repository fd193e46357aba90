import { Icon } from '@/components/ui/icon.tsx'

/** Why the server refused to record something, shown in the form that was submitted. */
export function Refusal({ problem }: { problem: Error }) {
  return (
    <p
      role="alert"
      className="foreign flex items-start gap-2 rounded-md bg-flagged-tint px-3 py-2 text-flagged text-sm"
    >
      <Icon name="warning" className="mt-0.5" />
      <span>Nothing was recorded: {problem.message}</span>
    </p>
  )
}

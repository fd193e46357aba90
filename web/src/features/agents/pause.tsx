import { Button } from '@/components/ui/button.tsx'
import { ModalDialog } from '@/components/ui/dialog.tsx'
import { duty } from './duties.ts'
import type { useSetPaused } from './queries.ts'

interface Props {
  name: string
  switching: ReturnType<typeof useSetPaused>
  open: boolean
  onClose: () => void
}

/** Asks before pausing, and says which work will stop. */
export function PauseDialog({ name, switching, open, onClose }: Props) {
  const pause = () => switching.mutate(true, { onSuccess: onClose })
  return (
    <ModalDialog
      open={open}
      onClose={onClose}
      title={`Pause the ${name}?`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" icon="pause" disabled={switching.isPending} onClick={pause}>
            Pause
          </Button>
        </>
      }
    >
      <p className="text-sm">
        {duty(name).whilePaused} until the agent is resumed. Work in progress is finished first. No event is lost:
        events wait in the log, and the agent continues where it left off, even after a restart.
      </p>
      {switching.isError && (
        <p role="alert" className="foreign mt-3 text-flagged text-sm">
          The agent was not paused. {switching.error.message}
        </p>
      )}
    </ModalDialog>
  )
}

import { Button } from '@/components/ui/button.tsx'
import { Box } from '@/components/ui/dialog.tsx'
import { duty } from './duties.ts'
import type { useSwitch } from './queries.ts'

interface Props {
  name: string
  switching: ReturnType<typeof useSwitch>
  open: boolean
  onClose: () => void
}

/** Pausing stops work that people count on, so it says what before it does it. */
export function PauseBox({ name, switching, open, onClose }: Props) {
  const pause = () => switching.mutate(true, { onSuccess: onClose })
  return (
    <Box
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
        {duty(name).whilePaused} until it is resumed. What it is doing now is finished first. Nothing is lost: events
        wait in the log, and it goes on where it left off, also after a restart.
      </p>
      {switching.isError && (
        <p role="alert" className="foreign mt-3 text-flagged text-sm">
          It was not paused. {switching.error.message}
        </p>
      )}
    </Box>
  )
}

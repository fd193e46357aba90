import { Drawer } from '@/components/ui/dialog.tsx'

export default function DetailDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <Drawer open onClose={onClose} title="Audit">
      {id}
    </Drawer>
  )
}

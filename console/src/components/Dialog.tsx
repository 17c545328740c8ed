import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode } from 'react'

type DialogProps = { title: string; isOpen: boolean; onClose(): void; children: ReactNode }

/** Renders a modal dialog. It takes the focus, and gives it back to where it was. */
export const Dialog = ({ title, isOpen, onClose, children }: DialogProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
    <Base.Portal>
      <Base.Backdrop className="shade" />
      <Base.Popup className="dialog">
        <Base.Title>{title}</Base.Title>
        {children}
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)

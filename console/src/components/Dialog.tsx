import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useLayoutEffect, useRef } from 'react'

type DialogProps = { title: string; isOpen: boolean; onClose(): void; children: ReactNode }

/**
 * Renders a modal dialog. It takes the focus, and gives it back to where it was: if its action removed that button,
 * to the title of the card which the button was in.
 */
export const Dialog = ({ title, isOpen, onClose, children }: DialogProps) => {
  const opener = useRef<{ button: Element | null; title: HTMLElement | null | undefined }>(null)
  useLayoutEffect(() => {
    if (!isOpen) return
    const button = document.activeElement
    opener.current = { button, title: button?.closest('section')?.querySelector('h2') }
  }, [isOpen])
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="shade" />
        <Base.Popup
          className="dialog"
          finalFocus={() => opener.current?.button?.isConnected || (opener.current?.title ?? true)}
        >
          <Base.Title>{title}</Base.Title>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

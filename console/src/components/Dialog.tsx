import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { SignedOutContext } from '../api/session.js'
import { t } from '../messages/index.js'
import { SignInAgain } from '../shell/SignIn.js'
import { Button } from './Button.js'

type DialogProps = {
  title: string
  isOpen: boolean
  onClose(): void
  /** Whether what was entered is stored, so that nothing is lost when the dialog closes. */
  isStored?: boolean
  children: ReactNode
}

type DiscardProps = { isOpen: boolean; onKeep(): void; onDiscard(): void }

/** Asks before what was entered is thrown away. */
const Discard = ({ isOpen, onKeep, onDiscard }: DiscardProps) => (
  <Base.Root open={isOpen} onOpenChange={(open) => open || onKeep()}>
    <Base.Portal>
      <Base.Backdrop className="shade" forceRender />
      <Base.Popup className="dialog" role="alertdialog">
        <Base.Title>{t.discard.title}</Base.Title>
        <p className="soft">{t.discard.text}</p>
        <div className="actions">
          <Button onClick={onKeep}>{t.discard.keep}</Button>
          <Button kind="danger" onClick={onDiscard}>
            {t.discard.confirm}
          </Button>
        </div>
      </Base.Popup>
    </Base.Portal>
  </Base.Root>
)

/**
 * Renders a modal dialog. It takes the focus, and gives it back to where it was: if its action removed that button,
 * to the title of the card which the button was in. Escape and a press beside it ask before they throw text away, and
 * while the session has ended, the reader signs in below what was entered.
 */
export const Dialog = ({ title, isOpen, onClose, isStored = false, children }: DialogProps) => {
  const opener = useRef<{ button: Element | null; title: HTMLElement | null | undefined }>(null)
  const [isTouched, setTouched] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const { isSignedOut, keepPage } = useContext(SignedOutContext)
  useLayoutEffect(() => {
    if (!isOpen) return
    setTouched(false)
    setAsking(false)
    const button = document.activeElement
    opener.current = { button, title: button?.closest('section')?.querySelector('h2') }
  }, [isOpen])
  const isHeld = isOpen && isTouched && !isStored
  useEffect(() => (isHeld ? keepPage() : undefined), [isHeld, keepPage])
  const leave = () => {
    if (isHeld) setAsking(true)
    else onClose()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => open || leave()}>
      <Base.Portal>
        <Base.Backdrop className="shade" />
        <Base.Popup
          className="dialog"
          onChange={() => setTouched(true)}
          finalFocus={() => opener.current?.button?.isConnected || (opener.current?.title ?? true)}
        >
          <Base.Title>{title}</Base.Title>
          {children}
          {isSignedOut && <SignInAgain />}
          <Discard isOpen={isAsking} onKeep={() => setAsking(false)} onDiscard={onClose} />
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

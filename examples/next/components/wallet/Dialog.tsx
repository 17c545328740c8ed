'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useNextFocus } from '../../lib/useNextFocus'
import styles from './Dialog.module.css'

/** Props of {@link Dialog}. */
export type DialogProps = {
  /**
   * The window's subject or current step. When it changes, the heading takes the focus if the focused element
   * is gone.
   */
  title: string
  onClose: () => void
  children: ReactNode
}

/** A window over the page that the Escape key closes. The focus returns to the element that opened it. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const heading = useNextFocus<HTMLHeadingElement>(title)
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={ref}
      className={styles.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className={styles.body}>
        <h2 ref={heading} id={titleId} className="heading" tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

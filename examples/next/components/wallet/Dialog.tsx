'use client'

import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'
import { useNextFocus } from '../../lib/useNextFocus'
import styles from './Dialog.module.css'

/** What {@link Dialog} takes. */
export type DialogProps = {
  /** What it is about, or which step of it: a new one takes the focus where what had it is gone. */
  title: string
  onClose: () => void
  children: ReactNode
}

/** A window over the page, which the escape key closes. The focus goes back to what opened it. */
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

'use client'

import { type ComponentType, type ReactElement, useEffect, useRef, useState } from 'react'
import { fill } from '../../../locales/fill.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { isAccount } from '../wallet/accounts.js'
import { shorten } from '../wallet/shorten.js'

const select = (value: CheckoutValue) => ({
  canEdit: value.edit !== undefined,
  isSaving: Boolean(value.isEditing),
  isRefused: value.editError !== undefined,
  messages: getMessages(value),
})

type RecipientChangeProps = {
  recipient: string
  /** Whether the order may still be changed. */
  isOpen: boolean
  /** The form that changes it. */
  Form: ComponentType<{ isOpen: boolean }>
}

/** Shows whom the whole order is for, and lets the buyer change it while the order may be changed. */
export function RecipientChange({ recipient, isOpen, Form }: RecipientChangeProps): ReactElement {
  const { canEdit, isSaving, isRefused, messages } = useCheckout('Panel', select)
  const store = useCheckoutStore('Panel')
  const [isChanging, setChanging] = useState(false)
  const summary = useRef<HTMLElement>(null)
  const isSent = useRef(false)

  // Closes after its own change, because another part may change the order, too.
  useEffect(() => {
    if (isSaving || !isSent.current) return
    isSent.current = false
    if (isRefused) return
    // The button with the focus goes with the form.
    summary.current?.focus()
    setChanging(false)
  }, [isSaving, isRefused])

  const text = fill(messages.goesTo, { recipient: isAccount(recipient) ? shorten(recipient) : recipient })
  if (!isOpen || !canEdit) {
    return (
      <p data-kassa="recipient" title={recipient}>
        {text}
      </p>
    )
  }
  return (
    <details
      data-kassa="recipient"
      open={isChanging}
      onToggle={({ currentTarget }) => setChanging(currentTarget.open)}
      // The form has seen the event before. It sends nothing that is wrong.
      onSubmit={() => {
        isSent.current = store.get().formError === 'sent'
      }}
    >
      <summary ref={summary} title={recipient}>
        {text} <u>{messages.change}</u>
      </summary>
      {isChanging && <Form isOpen />}
    </details>
  )
}

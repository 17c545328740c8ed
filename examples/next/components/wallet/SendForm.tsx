'use client'

import { useEffect, useId, useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Address } from 'viem'
import { checkRecipient } from '../../lib/wallet/checkRecipient'
import styles from './Dialog.module.css'
import type { OtherWallet } from './WalletSection'

/** Props of {@link SendForm}. */
export type SendFormProps = {
  /** The address of the wallet that holds the token. */
  owner: string
  other: OtherWallet | undefined
  /** The field's previous value. */
  initial: string
  onSubmit: (recipient: Address) => void
  onCancel: () => void
}

/** Asks for the recipient's address. */
export function SendForm({ owner, other, initial, onSubmit, onCancel }: SendFormProps) {
  const t = useTranslations('send')
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(initial)
  const [fault, setFault] = useState<string>()
  useEffect(() => field.current?.focus(), [])
  const change = (next: string): void => {
    setText(next)
    setFault(undefined)
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        const checked = checkRecipient(text, owner, t)
        if ('address' in checked) return onSubmit(checked.address)
        setFault(checked.fault)
        field.current?.focus()
      }}
    >
      <label className={styles.label} htmlFor={id}>
        {t('sendTo')}
      </label>
      <input
        ref={field}
        className="field code"
        id={id}
        value={text}
        onChange={(event) => change(event.target.value)}
        placeholder="0x…"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={fault ? `${id}-fault` : undefined}
      />
      {fault && (
        <p className={styles.fault} role="alert" id={`${id}-fault`}>
          {fault}
        </p>
      )}
      {other && (
        <button
          className={`button ${styles.shortcut}`}
          type="button"
          onClick={() => {
            change(other.address)
            field.current?.focus()
          }}
        >
          {other.label}
        </button>
      )}
      <div className={styles.actions}>
        <button className="button" type="button" onClick={onCancel}>
          {t('cancel')}
        </button>
        <button className="button" type="submit">
          {t('continue')}
        </button>
      </div>
    </form>
  )
}

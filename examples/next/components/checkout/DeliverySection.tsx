'use client'

import { useState } from 'react'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { useNextFocus } from '../../lib/useNextFocus'
import { EmailForm } from './EmailForm'
import styles from './PayView.module.css'

/** Asks where the goods go: to the paying wallet or to an e-mail address. */
export function DeliverySection({ details, isLocked }: { details: BuyerDetails; isLocked: boolean }) {
  const { email, choose } = details
  const [isEditing, setEditing] = useState(false)
  const isEmail = email !== undefined
  const isTyping = isEmail && (isEditing || email === '') && !isLocked
  const field = useNextFocus<HTMLInputElement>(isTyping ? 'typing' : 'typed')
  const change = useNextFocus<HTMLButtonElement>(isTyping ? 'typing' : 'typed')
  return (
    <section className={styles.section} aria-labelledby="delivery-title">
      <h2 id="delivery-title" className="heading">
        Delivery
      </h2>
      <fieldset className={styles.options} disabled={isLocked}>
        <legend className="hidden">Deliver to</legend>
        <label className="option">
          <input
            type="radio"
            name="delivery"
            checked={!isEmail}
            onChange={() => {
              setEditing(false)
              choose({ email: null })
            }}
          />
          <span>To this wallet</span>
        </label>
        <label className="option">
          <input
            type="radio"
            name="delivery"
            checked={isEmail}
            onChange={() => {
              setEditing(true)
              choose({ email: '' })
            }}
          />
          <span>To an e-mail address, as a gift or to claim later</span>
        </label>
      </fieldset>
      {isTyping && (
        <EmailForm
          field={field}
          initial={email}
          onSubmit={(address) => {
            setEditing(false)
            choose({ email: address })
          }}
        />
      )}
      {isEmail && email !== '' && !isEditing && (
        <p className={styles.wallet}>
          <strong className={styles.email}>{email}</strong>
          {!isLocked && (
            <button ref={change} className="link" type="button" onClick={() => setEditing(true)}>
              Change
            </button>
          )}
        </p>
      )}
    </section>
  )
}

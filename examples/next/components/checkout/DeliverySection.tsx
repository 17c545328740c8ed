'use client'

import { useState } from 'react'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { EmailForm } from './EmailForm'
import styles from './PayView.module.css'

/** Where the goods go: the wallet that pays, or an e-mail address. */
export function DeliverySection({ details, isLocked }: { details: BuyerDetails; isLocked: boolean }) {
  const { email, choose } = details
  const [isEditing, setEditing] = useState(false)
  const isEmail = email !== undefined
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
      {isEmail && (isEditing || email === '') && !isLocked && (
        <EmailForm
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
            <button className="link" type="button" onClick={() => setEditing(true)}>
              Change
            </button>
          )}
        </p>
      )}
    </section>
  )
}

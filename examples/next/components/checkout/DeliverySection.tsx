'use client'

import { isChangeable, type Order } from 'kassa'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { getGoodsFamily } from '../../lib/delivery'
import { getChainLabel } from '../../lib/networks'
import type { BuyerDetails } from '../../lib/useBuyerDetails'
import { useNextFocus } from '../../lib/useNextFocus'
import { AddressForm } from './AddressForm'
import { EmailForm } from './EmailForm'
import styles from './PayView.module.css'

/**
 * Asks where the goods go: to the paying wallet or to an e-mail address. A wallet that pays on another kind of chain,
 * or from another device, is not asked for its address, so the buyer names one.
 */
export function DeliverySection(props: { order: Order; details: BuyerDetails; isLocked: boolean }) {
  const { order, details, isLocked } = props
  const t = useTranslations('checkout')
  const { delivery, choose, canReceive } = details
  const [isEditing, setEditing] = useState(false)
  const family = getGoodsFamily(order)
  const isEmail = delivery.to === 'email'
  const canChange = isChangeable(order)
  const isFixed = isLocked || !canChange
  const isTyping = delivery.to !== 'wallet' && (isEditing || !details.isComplete) && !isFixed
  const field = useNextFocus<HTMLInputElement>(isTyping ? 'typing' : 'typed')
  const change = useNextFocus<HTMLButtonElement>(isTyping ? 'typing' : 'typed')
  const chain = getChainLabel(order.lineItems[0]?.chain ?? details.method ?? '')
  return (
    <section className={styles.section} aria-labelledby="delivery-title">
      <h2 id="delivery-title" className="heading">
        {t('delivery')}
      </h2>
      {canChange && (
        <fieldset className={styles.options} disabled={isLocked}>
          <legend className="hidden">{t('deliverTo')}</legend>
          <label className="option">
            <input
              type="radio"
              name="delivery"
              checked={!isEmail}
              onChange={() => {
                setEditing(false)
                choose({ delivery: { to: 'wallet' } })
              }}
            />
            <span>{canReceive ? t('toThisWallet') : t('toWalletOn', { network: chain })}</span>
          </label>
          <label className="option">
            <input
              type="radio"
              name="delivery"
              checked={isEmail}
              onChange={() => {
                setEditing(true)
                choose({ delivery: { to: 'email', email: '' } })
              }}
            />
            <span>{t('toEmail')}</span>
          </label>
        </fieldset>
      )}
      {isTyping && delivery.to === 'email' && (
        <EmailForm
          field={field}
          initial={delivery.email}
          onSubmit={(email) => {
            setEditing(false)
            choose({ delivery: { to: 'email', email } })
          }}
        />
      )}
      {isTyping && delivery.to === 'account' && (
        <AddressForm
          field={field}
          family={family}
          initial={delivery.address}
          onSubmit={(address) => {
            setEditing(false)
            choose({ delivery: { to: 'account', address } })
          }}
        />
      )}
      {!isTyping && details.isComplete && delivery.to !== 'wallet' && (
        <p className={styles.wallet}>
          {delivery.to === 'email' ? (
            <strong className={styles.email}>{delivery.email}</strong>
          ) : (
            // In full, because what is sent to a wrong address is lost.
            <span className={`code ${styles.email}`}>{delivery.address}</span>
          )}
          {!isFixed && (
            <button ref={change} className="link" type="button" onClick={() => setEditing(true)}>
              {t('change')}
            </button>
          )}
        </p>
      )}
    </section>
  )
}

'use client'

import { Checkout, useOrder } from 'kassa'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { OrderAccess } from './OrderCheckout'

const getWords = ({ stage, step }: Checkout.Status.State, hasSentence: boolean, hasNews: boolean) => {
  // These steps are one to the buyer.
  if (step === 'connecting' || step === 'checking') return 'checking'
  // A connected wallet answers both. Without one, only a buyer who pays from another device is asked for them.
  if (!hasNews && (stage === 'needs-recipient' || stage === 'needs-payer')) return 'choosePayment'
  // The pay button says it to those who see it.
  if (stage === 'ready-to-pay' && step === 'idle' && !hasSentence) return 'ready'
  return undefined
}

/**
 * Reads each change of an order aloud once. It stays mounted while screens change, because screen readers do
 * not announce text that arrives with its element.
 */
export function Announcer(access: OrderAccess) {
  const t = useTranslations('checkout')
  const { data: order } = useOrder(access)
  // Money that arrived without paying for the order: the library's sentence tells of it.
  const hasNews = Boolean(order?.payment.received ?? order?.payment.refunded)
  const [isHeard, setHeard] = useState(false)
  useEffect(() => {
    // The page arrives with its order, so the text has to follow the element that announces it.
    const timer = setTimeout(() => setHeard(true), 100)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Checkout.Status
      render={({ children }, state) => {
        const words = getWords(state, Boolean(children), hasNews)
        return (
          <output className="hidden" aria-live="polite">
            {isHeard && (words ? t(words) : children)}
          </output>
        )
      }}
    />
  )
}

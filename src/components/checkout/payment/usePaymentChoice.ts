'use client'

import { useEffect, useRef, useState } from 'react'
import { ofFamily } from '../../../schema/chains.js'
import { useCheckoutStore } from '../RootContext.js'
import { useBuyerWallets } from '../wallet/useBuyerWallet.js'
import { editPayment } from './editPayment.js'
import type { PaymentOption } from './listPaymentOptions.js'

// Browsing a list by keyboard selects every option on the way to the intended one.
const pauseMs = 400

const familyOf = (method: string | undefined) => ofFamily({ evm: 'evm', solana: 'solana' }, method)

/**
 * Changes how an order is paid to what the buyer chooses, after a short pause when chosen by keyboard.
 *
 * @param part - The part's name, for the error outside a checkout.
 * @param checkout - Whether the order may be changed, and whether a change is in progress.
 * @returns The choice to show in place of the order's own, and handlers for the element that offers the choice.
 */
export const usePaymentChoice = (
  part: string,
  { isEditable, isPending }: { isEditable: boolean; isPending: boolean },
) => {
  const store = useCheckoutStore(part)
  const findWallet = useBuyerWallets()
  const [sent, setSent] = useState<{ option: PaymentOption; isPending: boolean }>()
  const [chosen, setChosen] = useState<PaymentOption>()
  const isKeyed = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The sent choice shows only while its own request is pending.
  if (sent && sent.isPending !== isPending) setSent(isPending ? { ...sent, isPending } : undefined)

  const send = (option = chosen): void => {
    clearTimeout(timer.current)
    const value = store.get()
    // For a buyer who keeps browsing by keyboard during a change, the last choice counts.
    if (isKeyed.current && value.isEditing) {
      timer.current = setTimeout(send, pauseMs, option)
      return
    }
    setChosen(undefined)
    if (!option) return
    // A payer on the other family's chains is no account on this one.
    const isSameFamily = familyOf(option.method) === familyOf(value.order?.payment.method)
    const known = isSameFamily ? value.order?.payment.preparation?.payerAddress : undefined
    const payer = known ?? findWallet(option.method).address
    if (editPayment(value, option, payer)) setSent({ option, isPending: false })
  }
  return {
    shown: chosen ?? (isPending ? sent?.option : undefined),
    choose: (option: PaymentOption | undefined): void => {
      if (!isKeyed.current || !(isEditable || isPending)) {
        send(option)
        return
      }
      clearTimeout(timer.current)
      setChosen(option)
      timer.current = setTimeout(send, pauseMs, option)
    },
    handlers: {
      onBlur: () => send(),
      onPointerDown: () => {
        isKeyed.current = false
      },
      onKeyDown: ({ key }: { key: string }) => {
        isKeyed.current = true
        if (key === 'Enter') send()
      },
    },
  }
}

'use client'

import { type ChangeEvent, type ReactElement, useEffect, useRef, useState } from 'react'
import { useAccount, useConfig } from 'wagmi'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useSolanaWallets } from '../../../hooks/useSolanaWallets.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { isEditable } from '../forms/isEditable.js'
import { useCheckout, useCheckoutStore } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { getChainName } from './chainName.js'
import { editPayment } from './editPayment.js'
import { isUnpaid } from './isUnpaid.js'
import { listPaymentOptions, type PaymentOption } from './paymentOptions.js'
import { useKnownTokens } from './useKnownTokens.js'

export declare namespace CheckoutPaymentMethod {
  /** State of {@link CheckoutPaymentMethod}. */
  export type State = {
    /** The chain by the interface's name. */
    method: string | undefined
    currency: string | undefined
    /** Whether a change is in progress. */
    isPending: boolean
  }

  /** Props of {@link CheckoutPaymentMethod}. */
  export type Props = Omit<PartProps<'select', CheckoutPaymentMethod.State>, 'value'> & {
    /**
     * The options to choose from. By default those that wagmi's configuration, the provider's `solana` and the known
     * tokens allow.
     */
    options?: readonly PaymentOption[] | undefined
  }
}

const select = (value: CheckoutValue) => ({
  method: value.order?.payment.method,
  currency: value.order?.payment.currency,
  isUnpaid: isUnpaid(value),
  isEditable: isEditable(value),
  isPending: Boolean(value.isEditing),
  messages: getMessages(value),
})

// Browsing a closed list by keyboard selects every option on the way to the intended one.
const pauseMs = 400

const toValue = ({ method, currency }: PaymentOption): string => `${method}:${currency.toLowerCase()}`

/**
 * Renders a `<select>`. Chooses how an order is paid: a currency on a chain. A choice changes the order and
 * its price, after a short pause when made by keyboard. A choice that the service refuses is reset. Absent
 * once the order is paid.
 */
export function CheckoutPaymentMethod({
  options,
  ...props
}: CheckoutPaymentMethod.Props): ReactElement | null {
  const store = useCheckoutStore('PaymentMethod')
  const { messages, isPending, method, currency, ...order } = useCheckout('PaymentMethod', select)
  const config = useConfig()
  const evm = useAccount()
  const solanaWallet = useSolanaWallets()
  const provided = useProvided()
  const tables = [useKnownTokens(), provided?.rules.tokens]
  const [sent, setSent] = useState<{ option: PaymentOption; isPending: boolean }>()
  const [chosen, setChosen] = useState<PaymentOption>()
  const isKeyed = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The sent choice shows only while its own request is pending.
  if (sent && sent.isPending !== isPending) setSent(isPending ? { ...sent, isPending } : undefined)

  const own = method === undefined || currency === undefined ? undefined : { method, currency }
  const shown = chosen ?? ((isPending && sent?.option) || own)
  const listed = options ?? listPaymentOptions(config, tables, provided?.solana, own)
  const all = new Map([...listed, ...(own ? [own] : [])].map((option) => [toValue(option), option]))
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
    const isSolana = option.method === 'solana'
    // A payer on the other family's chains is no account on this one.
    const isSameFamily = isSolana === (value.order?.payment.method === 'solana')
    const known = isSameFamily ? value.order?.payment.preparation?.payerAddress : undefined
    const payer = known ?? (isSolana ? solanaWallet : evm).address
    if (editPayment(value, option, payer)) setSent({ option, isPending: false })
  }
  const change = (event: ChangeEvent<HTMLSelectElement>): void => {
    const option = all.get(event.currentTarget.value)
    const isHeld = isKeyed.current && (order.isEditable || isPending)
    if (!isHeld) {
      send(option)
      return
    }
    clearTimeout(timer.current)
    setChosen(option)
    timer.current = setTimeout(send, pauseMs, option)
  }
  const element = useRender(
    'select',
    'payment-method',
    props,
    { method, currency, isPending },
    {
      'aria-label': messages.payWith,
      'aria-disabled': !order.isEditable || undefined,
      value: shown && toValue(shown),
      onChange: change,
      onBlur: () => send(),
      onPointerDown: () => {
        isKeyed.current = false
      },
      onKeyDown: ({ key }) => {
        isKeyed.current = true
        if (key === 'Enter') send()
      },
      children: [...all].map(([value, option]) => (
        <option key={value} value={value}>
          {fill(messages.currencyOnChain, {
            currency: option.currency.toUpperCase(),
            chain: getChainName(config, option.method),
          })}
        </option>
      )),
    },
  )
  return own && order.isUnpaid ? element : null
}

'use client'

import type { ChangeEvent, ReactElement } from 'react'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useRequiredWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import { isChangeable } from '../../../order/payment.js'
import { getChainName } from '../evm/chainName.js'
import { isEditable } from '../forms/isEditable.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { isUnpaid } from './isUnpaid.js'
import { listPaymentOptions, type PaymentOption } from './listPaymentOptions.js'
import { useKnownTokens } from './useKnownTokens.js'
import { usePaymentChoice } from './usePaymentChoice.js'

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
  isOpen: value.order !== undefined && isChangeable(value.order),
  isEditable: isEditable(value),
  isPending: Boolean(value.isEditing),
  messages: getMessages(value),
})

const toValue = ({ method, currency }: PaymentOption): string => `${method}:${currency.toLowerCase()}`

/**
 * Renders a `<select>`. Chooses how an order is paid: a currency on a chain. A choice changes the order and
 * its price, after a short pause when made by keyboard. A choice that the service refuses is reset. Once a payment was
 * seen that may pay for the order, only its own option is listed. Absent once the order is paid.
 */
export function CheckoutPaymentMethod({
  options,
  ...props
}: CheckoutPaymentMethod.Props): ReactElement | null {
  const { messages, isPending, method, currency, ...order } = useCheckout('PaymentMethod', select)
  const choice = usePaymentChoice('PaymentMethod', { isEditable: order.isEditable, isPending })
  const config = useRequiredWagmiConfig()
  const provided = useProvided()
  const tables = [useKnownTokens(), provided?.rules.tokens]

  const own = method === undefined || currency === undefined ? undefined : { method, currency }
  const shown = choice.shown ?? own
  const offered = () => options ?? listPaymentOptions(config, tables, provided?.solana, own)
  const listed = order.isOpen ? offered() : []
  const all = new Map([...listed, ...(own ? [own] : [])].map((option) => [toValue(option), option]))
  const element = useRender(
    'select',
    'payment-method',
    props,
    { method, currency, isPending },
    {
      'aria-label': messages.payWith,
      'aria-disabled': !order.isEditable || undefined,
      value: shown && toValue(shown),
      onChange: (event: ChangeEvent<HTMLSelectElement>) => choice.choose(all.get(event.currentTarget.value)),
      ...choice.handlers,
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

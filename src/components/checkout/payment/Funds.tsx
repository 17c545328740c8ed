'use client'

import type { ReactElement } from 'react'
import { type PartProps, useRender } from '../../../internal/render.js'
import { getAmountDue } from '../../../order/payment.js'
import { fromBaseUnits, toBaseUnits } from '../../../schema/baseUnits.js'
import { showAmount } from '../price/showAmount.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getCheckoutStage, getMessages } from '../value.js'
import type { Held } from './held.js'
import { WalletBalance } from './WalletBalance.js'

export declare namespace CheckoutFunds {
  /**
   * State of {@link CheckoutFunds}.
   *
   * @units `balance` and `missing` are exact decimal strings in whole units of `currency`.
   */
  export type State = {
    /** The wallet's balance. */
    balance: string
    /**
     * The amount missing from the price; undefined if nothing is missing, or only the network fee, whose amount
     * is unknown beforehand.
     */
    missing: string | undefined
    currency: string
  }

  /** Props of {@link CheckoutFunds}. */
  export type Props = PartProps<'dl', CheckoutFunds.State>
}

const select = (value: CheckoutValue) => ({
  isShort: getCheckoutStage(value) === 'insufficient-funds',
  isFee: value.order?.payment.status === 'crypto-payer-insufficient-funds-for-gas',
  payment: value.order?.payment,
  price: value.order && getAmountDue(value.order),
  locale: value.order?.locale,
  messages: getMessages(value),
})

/**
 * Renders a `<dl>`. Shows the connected wallet's balance on the chain and the missing amount. Absent unless
 * the order waits for funds.
 */
export function CheckoutFunds(props: CheckoutFunds.Props): ReactElement | null {
  const { isShort, payment, ...slice } = useCheckout('Funds', select)
  // Separate components, so that only an order that lacks funds needs a wallet.
  if (!isShort || !payment) return null
  return (
    <WalletBalance payment={payment} isFee={slice.isFee}>
      {(held) => <Amounts held={held} slice={slice} {...props} />}
    </WalletBalance>
  )
}

type Slice = Omit<ReturnType<typeof select>, 'isShort' | 'payment'>

// The React Compiler does not compile a component with a bigint literal.
const none = 0n

function Amounts({ slice, held, ...props }: CheckoutFunds.Props & { slice: Slice; held: Held }) {
  const { isFee, price, locale, messages } = slice
  const { currency, decimals } = held
  const units = held.units ?? none
  const lacking = ((!isFee && price && toBaseUnits(price.amount, decimals)) || none) - units
  const balance = fromBaseUnits(units, decimals)
  const missing = lacking > none ? fromBaseUnits(lacking, decimals) : undefined
  const show = (term: string, amount: string, isUp: boolean) => (
    <>
      <dt>{term}</dt>
      <dd>
        <span {...showAmount({ amount, currency }, locale, isUp)} />
      </dd>
    </>
  )
  const element = useRender(
    'dl',
    'funds',
    props,
    { balance, missing, currency },
    {
      children: (
        <>
          {show(messages.inWallet, balance, false)}
          {missing !== undefined && show(messages.missing, missing, true)}
        </>
      ),
    },
  )
  return held.units === undefined ? null : element
}

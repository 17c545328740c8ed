'use client'

import { type ReactElement, useContext, useId } from 'react'
import { useRequiredWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { toDataAttributes } from '../../../internal/dataAttributes.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import { getAmountDue, isChangeable } from '../../../order/payment.js'
import { getCharge } from '../../../order/totals.js'
import type { OrderParameters } from '../../../query/order.js'
import type { Amount, QuotedPaymentOption } from '../../../schema/index.js'
import { getChainName } from '../evm/chainName.js'
import { isEditable } from '../forms/isEditable.js'
import { showAmount } from '../price/showAmount.js'
import { AccessContext, useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'
import { isUnpaid } from './isUnpaid.js'
import { isSameOption, sortOptions } from './sortOptions.js'
import { useListedOptions } from './useListedOptions.js'
import { usePaymentChoice } from './usePaymentChoice.js'

export declare namespace CheckoutPaymentOptions {
  /** State of {@link CheckoutPaymentOptions}. */
  export type State = {
    /** The number of ways to pay. */
    count: number
    /** Whether the ways to pay are being read for the first time. Until then, only the order's own is shown. */
    isLoading: boolean
    /** Whether a change is in progress. */
    isPending: boolean
  }

  /** Props of {@link CheckoutPaymentOptions}. */
  export type Props = PartProps<'div', CheckoutPaymentOptions.State> & {
    /**
     * The ways to pay. By default those that the service lists for the connected wallet, on the chains that the app is
     * configured for. A checkout whose `value` you own needs them.
     */
    options?: readonly QuotedPaymentOption[] | undefined
  }
}

const select = (value: CheckoutValue) => {
  const { order } = value
  // Before it is known who gets the goods, they cost this.
  const due = order && (getAmountDue(order) ?? getCharge(order, 'unit'))
  return {
    method: order?.payment.method,
    currency: order?.payment.currency,
    due: due?.amount,
    locale: order?.locale,
    isUnpaid: isUnpaid(value),
    isOpen: order !== undefined && isChangeable(order),
    isEditable: isEditable(value),
    isPending: Boolean(value.isEditing),
    messages: getMessages(value),
  }
}

type Slice = ReturnType<typeof select>

/**
 * Renders a `<div>` with a radio button for each way to pay: the price in a currency on a chain, the network fee or that
 * there is none, and what the wallet lacks. Those that the wallet can pay come first, then the cheapest. A choice changes the order and
 * its price, after a short pause when made by keyboard. One that the service refuses is reset. Once a payment was seen
 * that may pay for the order, only its own way is listed, with what is left to pay. Until it is known who
 * gets the goods, it says what these cost. Absent once the order is paid, and until that is known.
 */
export function CheckoutPaymentOptions({
  options,
  ...props
}: CheckoutPaymentOptions.Props): ReactElement | null {
  const slice = useCheckout('PaymentOptions', select)
  const access = useContext(AccessContext)
  // Separate components, so that only an order that can be paid is asked about.
  if (!slice.isUnpaid || slice.due === undefined) return null
  if (!slice.isOpen) return <Options slice={slice} options={[]} {...props} />
  if (options || !access) return <Options slice={slice} options={options} {...props} />
  return <ListedOptions access={access} slice={slice} {...props} />
}

type ListedProps = Omit<CheckoutPaymentOptions.Props, 'options'> & { slice: Slice }

function ListedOptions({ access, ...props }: ListedProps & { access: OrderParameters }) {
  const { options, isPending } = useListedOptions(access, props.slice.method)
  return <Options options={options} isLoading={isPending} {...props} />
}

type OptionsProps = ListedProps & {
  options: readonly QuotedPaymentOption[] | undefined
  isLoading?: boolean
}

function Options({ slice, options = [], isLoading = false, ...props }: OptionsProps) {
  const { method, currency, due, isPending, isEditable: canEdit, locale, messages } = slice
  const name = useId()
  const choice = usePaymentChoice('PaymentOptions', { isEditable: canEdit, isPending })
  const own = method && currency ? { chain: method, currency } : undefined
  const unlisted: QuotedPaymentOption[] =
    own && due !== undefined && !options.some((option) => isSameOption(option, own))
      ? [{ ...own, currency: own.currency.toLowerCase(), amount: due, ...unknown }]
      : []
  const sorted = sortOptions([...options, ...unlisted], own)
  const { shown } = choice
  const chosen = shown ? { chain: shown.method, currency: shown.currency } : own
  return useRender(
    'div',
    'payment-options',
    props,
    { count: sorted.length, isLoading, isPending },
    {
      role: 'radiogroup',
      'aria-label': messages.payWith,
      'aria-busy': isLoading || undefined,
      ...choice.handlers,
      children: sorted.map((option) => (
        <Option
          key={`${option.chain}:${option.currency}`}
          {...{
            option,
            name,
            locale,
            messages,
            isChosen: isSameOption(option, chosen),
            isDisabled: !canEdit,
          }}
          onChoose={() => choice.choose({ method: option.chain, currency: option.currency })}
        />
      )),
    },
  )
}

const unknown = { networkFee: null, balance: null, sufficient: null } as const

type OptionProps = {
  option: QuotedPaymentOption
  name: string
  locale: string | undefined
  messages: Messages
  isChosen: boolean
  isDisabled: boolean
  onChoose(): void
}

function Option({ option, name, locale, messages, isChosen, isDisabled, onChoose }: OptionProps) {
  const { chain, currency, networkFee, sufficient, missing } = option
  const label = fill(messages.currencyOnChain, {
    currency: currency.toUpperCase(),
    chain: getChainName(useRequiredWagmiConfig(), chain),
  })
  const isUnknown = sufficient === null
  const state = { chain, currency, isChosen, isShort: sufficient === false, isUnknown }
  const show = (amount: Amount) => <span key={amount.currency} {...showAmount(amount, locale)} />
  return (
    <label data-kassa="payment-option" {...toDataAttributes(state)}>
      <input
        type="radio"
        name={name}
        checked={isChosen}
        aria-disabled={isDisabled || undefined}
        onChange={onChoose}
      />
      <span data-kassa="payment-option-name">{label}</span>{' '}
      <span data-kassa="payment-option-price">{show(option)}</span>{' '}
      <span data-kassa="payment-option-notes">
        {networkFee && (
          <span>
            {/[1-9]/.test(networkFee.amount) ? (
              <>
                {messages.networkFee} {show(networkFee)}
              </>
            ) : (
              messages.noNetworkFee
            )}
          </span>
        )}{' '}
        {missing?.map((lack) => (
          <strong key={lack.currency}>
            {messages.missing} {show(lack)}
          </strong>
        ))}
      </span>
    </label>
  )
}

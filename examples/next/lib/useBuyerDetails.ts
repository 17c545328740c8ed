'use client'

import {
  type AnyKassaError,
  type EditOrderBody,
  getStage,
  isChangeable,
  type Order,
  useEditOrder,
  usePayOrder,
} from 'kassa'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLocale } from 'use-intl'
import { useCheckoutShop } from './checkoutShop'
import { type Delivery, getDelivery, getGoodsFamily, isSameAddress } from './delivery'
import { isOutOfReach } from './explainError'
import { getFamily } from './networks'
import type { PayMethod } from './payOptions'
import { isRefusedToBuyer } from './saleRule'
import { topUp } from './testFunds'
import { useWhenOnline } from './useOnline'
import { useFamilyWallets, useWallets } from './useWallets'

/** The buyer's choices on this page. Fields they have not chosen keep the order's values. */
export type BuyerChoice = {
  delivery?: Delivery
  payment?: { method: PayMethod; currency: string }
}

/** Result of {@link useBuyerDetails}. */
export type BuyerDetails = {
  delivery: Delivery
  /** The chain on which the buyer pays, by the service's name. */
  method: PayMethod | undefined
  currency: string | undefined
  choose(choice: BuyerChoice): void
  /** Whether the goods can go to the connected wallet, because it is on the same kind of chain. */
  canReceive: boolean
  /** Whether the delivery says where the goods go, so that it is no longer being typed. */
  isComplete: boolean
  /** Whether the order matches the wallet and the choices, so that it may be paid. */
  isSettled: boolean
  /** Whether the order is being updated to match the wallet and the choices. */
  isSaving: boolean
  error: AnyKassaError | null
  retry(): void
}

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase()

const hasRecipient = (order: Order, recipient: EditOrderBody['recipient']): boolean => {
  const known = order.lineItems[0]?.delivery.recipient
  if (!recipient) return true
  return recipient.email
    ? isSame(known?.email, recipient.email)
    : isSameAddress(known?.walletAddress, recipient.walletAddress) && !known?.email
}

const hasDetails = (order: Order, { recipient, payment, locale }: EditOrderBody): boolean =>
  hasRecipient(order, recipient) &&
  isSame(order.locale, locale) &&
  isSame(order.payment.method, payment?.method) &&
  isSame(order.payment.currency, payment?.currency) &&
  (payment?.payerAddress === undefined ||
    isSameAddress(order.payment.preparation?.payerAddress, payment.payerAddress))

const toRecipient = (delivery: Delivery, payerAddress: string | undefined): EditOrderBody['recipient'] => {
  if (delivery.to === 'email') return { email: delivery.email }
  const walletAddress = delivery.to === 'account' ? delivery.address : payerAddress
  return walletAddress === undefined ? undefined : { walletAddress }
}

/** Whether the buyer has said where the goods go. */
const isTyped = (delivery: Delivery): boolean => {
  if (delivery.to === 'wallet') return true
  return (delivery.to === 'email' ? delivery.email : delivery.address) !== ''
}

/**
 * Keeps an unpaid order in sync with the connected wallet and the buyer's choices: who pays, on which chain and in
 * which currency, who gets the goods, and in which language.
 */
export const useBuyerDetails = (access: { orderId: string }, order: Order): BuyerDetails => {
  const { networks, sandboxUrl } = useCheckoutShop()
  const { step, reset } = usePayOrder(access)
  const [chosen, setChoice] = useState<BuyerChoice>({})
  // Once a payment was seen that may pay for the order, the service changes nothing of it, so the order alone counts.
  const isOpenToChange = isChangeable(order)
  const choice = isOpenToChange ? chosen : {}
  const [isFunding, setFunding] = useState(false)
  const { mutate, isPending, error, isSuccess, variables } = useEditOrder({
    ...access,
    mutation: { onSuccess: reset },
  })
  const sent = useRef<string>(undefined)
  // The service writes amounts and e-mails in the language of the order.
  const locale = useLocale()

  const { method, currency } = choice.payment ?? order.payment
  const { address, status, isDemo } = useWallets(method)
  const goodsFamily = getGoodsFamily(order)
  const own = useFamilyWallets(goodsFamily)
  // Before a wallet is connected, the goods can go to an address only: they may be paid from another device.
  const canReceive = status !== 'disconnected' && getFamily(method) === goodsFamily
  const delivery = getDelivery(order, choice.delivery, {
    isPayable: canReceive && isOpenToChange,
    ownAddress: own.address,
  })
  const isComplete = isTyped(delivery)
  const stage = getStage(order)
  const isOpen = step.status === 'idle' || step.status === 'failed'
  const canEdit =
    isOpenToChange && isOpen && stage !== 'expired' && (stage !== 'unavailable' || isRefusedToBuyer(order))
  const getBody = (): EditOrderBody | undefined => {
    if (method === undefined || currency === undefined) return undefined
    if (status === 'connected' && address !== undefined) {
      const payment = { method, currency, payerAddress: address }
      return isComplete ? { recipient: toRecipient(delivery, address), payment, locale } : undefined
    }
    if (status !== 'disconnected') return undefined
    const recipient = isComplete ? toRecipient(delivery, undefined) : undefined
    // The order remembers the choice over a reload; the wallet for it is yet to be connected.
    return recipient || choice.payment || !isSame(order.locale, locale)
      ? { payment: { method, currency }, locale, ...(recipient && { recipient }) }
      : undefined
  }
  const body = getBody()
  const wanted = body && !hasDetails(order, body) ? JSON.stringify(body) : undefined

  // A service may spell an address differently from the wallet. Its answer then counts as agreement.
  const isAnswered = isSuccess && JSON.stringify(variables) === wanted

  const network = networks.find(({ name }) => name === method)
  const save = useCallback(
    async (text: string) => {
      sent.current = text
      const details: EditOrderBody = JSON.parse(text)
      const payer = details.payment?.payerAddress
      if (isDemo && sandboxUrl && network && payer) {
        setFunding(true)
        // Without funds, the service says so and the page offers to ask again.
        await topUp(sandboxUrl, network, payer).catch(() => undefined)
        setFunding(false)
      }
      // The buyer may have changed the choice meanwhile; the last one wins.
      if (sent.current === text) mutate(details)
    },
    [isDemo, sandboxUrl, network, mutate],
  )
  useEffect(() => {
    if (wanted && canEdit && sent.current !== wanted) void save(wanted)
  }, [wanted, canEdit, save])

  const openError = wanted && canEdit ? error : null
  const retry = () => wanted && void save(wanted)
  useWhenOnline(openError !== null && isOutOfReach(openError), retry)

  return {
    delivery,
    method,
    currency,
    canReceive,
    choose: (next) => setChoice((known) => ({ ...known, ...next })),
    isComplete,
    isSettled: isComplete && (!wanted || isAnswered || !canEdit),
    isSaving: isFunding || isPending,
    error: openError,
    retry,
  }
}

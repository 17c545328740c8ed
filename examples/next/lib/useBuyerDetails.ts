'use client'

import {
  type AnyKassaError,
  type EditOrderBody,
  getStage,
  type Order,
  useEditOrder,
  usePayOrder,
} from 'kassa'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useConnection } from 'wagmi'
import { useCheckoutShop } from './checkoutShop'
import { demoWalletId } from './demoWallet/demoWallet'
import { topUp } from './testFunds'

/** The buyer's choices on this page. Fields they have not chosen keep the order's values. */
export type BuyerChoice = {
  /** An e-mail address to deliver to. An empty one is still being typed; null means the wallet. */
  email?: string | null
  currency?: string
}

/** Result of {@link useBuyerDetails}. */
export type BuyerDetails = {
  /** Where the goods go: an e-mail address, or undefined for the connected wallet. */
  email: string | undefined
  currency: string | undefined
  choose(choice: BuyerChoice): void
  /** Whether the order matches the wallet and the choices, so that it may be paid. */
  isSettled: boolean
  /** Whether the order is being updated to match the wallet and the choices. */
  isSaving: boolean
  error: AnyKassaError | null
  retry(): void
}

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one?.toLowerCase() === other?.toLowerCase()

const hasDetails = (order: Order, { recipient, payment }: EditOrderBody): boolean => {
  const known = order.lineItems[0]?.delivery.recipient
  const isRecipient = recipient?.email
    ? isSame(known?.email, recipient.email)
    : isSame(known?.walletAddress, recipient?.walletAddress) && !known?.email
  return (
    isRecipient &&
    isSame(order.payment.preparation?.payerAddress, payment?.payerAddress) &&
    isSame(order.payment.currency, payment?.currency)
  )
}

/**
 * Keeps an unpaid order in sync with the connected wallet and the buyer's choices: who pays, in which
 * currency, and who gets the goods.
 */
export const useBuyerDetails = (access: { orderId: string }, order: Order): BuyerDetails => {
  const { networks, sandboxUrl } = useCheckoutShop()
  const { address, status, connector } = useConnection()
  const { step, reset } = usePayOrder(access)
  const [choice, setChoice] = useState<BuyerChoice>({})
  const [isFunding, setFunding] = useState(false)
  const { mutate, isPending, error, isSuccess, variables } = useEditOrder({
    ...access,
    mutation: { onSuccess: reset },
  })
  const sent = useRef<string>(undefined)

  const knownEmail = order.lineItems[0]?.delivery.recipient?.email
  const email = choice.email === null ? undefined : (choice.email ?? knownEmail)
  const currency = choice.currency ?? order.payment.currency
  const { method } = order.payment
  const stage = getStage(order)
  const isOpen = step.status === 'idle' || step.status === 'failed'
  const canEdit = isOpen && stage !== 'expired' && stage !== 'unavailable'
  // The buyer is still typing an empty address.
  const isComplete = status === 'connected' && method !== undefined && currency !== undefined && email !== ''
  const body: EditOrderBody | undefined = isComplete
    ? {
        recipient: email ? { email } : { walletAddress: address },
        payment: { method, currency, payerAddress: address },
      }
    : undefined
  const wanted = body && !hasDetails(order, body) ? JSON.stringify(body) : undefined

  // A service may spell an address differently from the wallet. Its answer then counts as agreement.
  const isAnswered = isSuccess && JSON.stringify(variables) === wanted

  const network = networks.find(({ name }) => name === method)
  const isDemo = connector?.id === demoWalletId
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

  return {
    email,
    currency,
    choose: (next) => setChoice((known) => ({ ...known, ...next })),
    isSettled: email !== '' && (!wanted || isAnswered || !canEdit),
    isSaving: isFunding || isPending,
    error: wanted && canEdit ? error : null,
    retry: () => wanted && void save(wanted),
  }
}

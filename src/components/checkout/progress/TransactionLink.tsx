'use client'

import type { ReactElement } from 'react'
import { useProvided } from '../../../hooks/checkoutContext.js'
import { useWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { type PartProps, useRender } from '../../../internal/render.js'
import type { WagmiConfig } from '../../../pay/evm/wagmiConfig.js'
import type { SolanaPayments } from '../../../pay/solanaPayments.js'
import { ofFamily } from '../../../schema/chains.js'
import type { LineItem } from '../../../schema/index.js'
import { findChain } from '../evm/findChain.js'
import { getOpenStep } from '../openStep.js'
import { useCheckoutItem } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

export declare namespace CheckoutTransactionLink {
  /** State of {@link CheckoutTransactionLink}. */
  export type State = { txId: string | undefined; chain: string | undefined }

  /** Props of {@link CheckoutTransactionLink}. */
  export type Props = PartProps<'a', CheckoutTransactionLink.State> & {
    /** Which transaction. By default the delivery of its line item. */
    of?: 'payment' | 'refund' | 'delivery' | undefined
    /** A transaction of the caller's choice, together with `chain`. */
    txId?: string | undefined
    /** The chain by the interface's name, such as `base-sepolia`. */
    chain?: string | undefined
  }
}

type Value = Omit<CheckoutValue, 'nowMs'>

const toLink = (
  transaction: { txId: string | undefined; chain: string | undefined },
  name: 'viewMint' | 'viewPayment' | 'viewRefund',
  value: Value,
) => {
  const { [name]: label, viewTransaction } = getMessages(value)
  return { ...transaction, label, viewTransaction }
}

const selectTransfer = (name: 'received' | 'refunded') => (_: unknown, value: Value) => {
  const { [name]: transfer, method } = value.order?.payment ?? {}
  const step = getOpenStep(value)
  // The buyer's own payment is known before the service has seen it.
  const sent = name === 'received' && 'txId' in step ? step.txId : undefined
  const transaction = { txId: sent ?? transfer?.txId, chain: transfer?.chain ?? method }
  return toLink(transaction, name === 'received' ? 'viewPayment' : 'viewRefund', value)
}

const selects = {
  payment: selectTransfer('received'),
  refund: selectTransfer('refunded'),
  delivery: (item: LineItem | undefined, value: Value) =>
    toLink({ txId: item?.delivery.txId, chain: item?.chain }, 'viewMint', value),
}

/**
 * Renders an `<a>`. Links to a transaction in the block explorer of its chain: the one that wagmi's configuration
 * names, or that of `kassa/solana`. Its text names what the transaction did. Absent without a transaction or an explorer.
 */
export function CheckoutTransactionLink({
  of = 'delivery',
  txId,
  chain,
  ...props
}: CheckoutTransactionLink.Props): ReactElement | null {
  const { label, viewTransaction, ...found } = useCheckoutItem('TransactionLink', selects[of])
  const config = useWagmiConfig()
  const state = { txId: txId ?? found.txId, chain: chain ?? found.chain }
  const solana = useProvided()?.solana
  const href = getTransactionUrl(state, config, solana)
  const element = useRender('a', 'transaction-link', props, state, {
    href,
    target: '_blank',
    rel: 'noreferrer',
    children: txId === undefined ? label : viewTransaction,
  })
  return href !== undefined && /^https?:\/\//i.test(href) ? element : null
}

const getTransactionUrl = (
  { txId, chain }: CheckoutTransactionLink.State,
  config: WagmiConfig | undefined,
  solana: SolanaPayments | undefined,
): string | undefined => {
  if (txId === undefined) return undefined
  const explorer = findChain(config, chain)?.blockExplorers?.default.url
  const urls = {
    evm: explorer && `${explorer.replace(/(?<!\/)\/+$/, '')}/tx/${encodeURIComponent(txId)}`,
    solana: solana?.getTransactionUrl(txId),
  }
  return ofFamily(urls, chain)
}

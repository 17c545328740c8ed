'use client'

import type { TransferRequest } from '../../../chain/transferRequest.js'
import { useWagmiConfig } from '../../../hooks/evm/wagmiConfig.js'
import { getTransferFacts, type UseTransferResult, useTransferOf } from '../../../hooks/useTransfer.js'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import type { WagmiConfig } from '../../../pay/evm/wagmiConfig.js'
import { getChainName } from '../evm/chainName.js'
import { useCheckout } from '../RootContext.js'
import { type CheckoutValue, getMessages } from '../value.js'

const select = (value: CheckoutValue) => ({
  ...getTransferFacts(
    {
      order: value.order,
      step: value.step,
      isChanging: Boolean(value.isEditing || value.isRefreshing),
    },
    value.nowMs,
  ),
  messages: getMessages(value),
})

/** What the parts of a transfer show. */
export type TransferPart = {
  transfer: UseTransferResult
  /** The request to show; undefined unless it is ready. */
  request: TransferRequest | undefined
  messages: Messages
  config: WagmiConfig | undefined
  /** The chain by the interface's name. */
  chain: string | undefined
  /** The chain's display name. */
  network: string
  /** The exact amount with its currency. */
  amount: string
  /** Fills the amount and the network into a sentence. */
  say(sentence: string): string
}

/** Returns what a part of a transfer shows. */
export const useTransferPart = (part: string): TransferPart => {
  const { messages, ...facts } = useCheckout(part, select)
  const config = useWagmiConfig()
  const transfer = useTransferOf(facts)
  const request = transfer.status === 'ready' ? transfer.request : undefined
  const chain = facts.order?.payment.method
  const network = chain === undefined ? '' : getChainName(config, chain)
  // Without a rounding or a separator: the buyer may type it.
  const amount = request ? `${request.amount}\u00a0${request.currency.toUpperCase()}` : ''
  return {
    transfer,
    request,
    messages,
    config,
    chain,
    network,
    amount,
    say: (sentence) => fill(sentence, { amount, chain: network }),
  }
}

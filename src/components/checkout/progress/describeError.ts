import type { AnyKassaError, KassaErrorCode } from '../../../errors/index.js'
import { fill } from '../../../locales/fill.js'
import type { Messages } from '../../../locales/Messages.js'
import type { WagmiConfig } from '../../../pay/evm/wagmiConfig.js'
import { getChainName } from '../evm/chainName.js'
import { shorten } from '../wallet/shorten.js'

const sentences: { [Code in KassaErrorCode]?: keyof Messages } = {
  'api.bad-request': 'invalid',
  'api.conflict': 'changed',
  'api.rate-limited': 'tooMany',
  'pay.not-connected': 'connectToPay',
  'pay.not-payable': 'changed',
  'pay.chain-not-configured': 'notPossible',
  'pay.token-unknown': 'notPossible',
  'pay.quote-expired': 'expired',
  'pay.insufficient-funds': 'addFunds',
  'pay.insufficient-funds-for-gas': 'addFunds',
  'pay.rejected': 'rejected',
  'pay.reverted': 'reverted',
  'pay.would-revert': 'wouldRevert',
  'pay.cancelled': 'cancelled',
  'pay.replaced': 'cancelled',
  'pay.dropped': 'uncertain',
  'pay.expired': 'tooLate',
  'pay.signature-refused': 'notSponsored',
  'pay.chain-unavailable': 'chainUnavailable',
  'pay.wallet-failed': 'walletFailed',
  'pay.in-other-tab': 'otherTab',
  'pay.order-changed': 'changed',
}

/** Tells a buyer what went wrong and what to do. The error's own message is for developers. */
export const describeError = (error: AnyKassaError, messages: Messages, config?: WagmiConfig): string => {
  const { code, context } = error
  switch (code) {
    case 'pay.price-changed':
      return fill(messages.priceChanged, { amount: context.to })
    case 'pay.wrong-account':
      return fill(messages.wrongAccount, { address: shorten(context.expected) })
    case 'pay.wrong-chain':
      return fill(messages.wrongChain, { chain: getChainName(config, context.expected) })
    case 'pay.uncertain':
      return context.hasOpenTransaction ? messages.underWay : messages.uncertain
    case 'pay.vetoed':
      return context.sentence ?? messages.stopped
  }
  const known = sentences[code]
  if (known) return messages[known]
  if (code.startsWith('pay.')) return messages.wrongPayment
  return error.retryable ? messages.unreachable : messages.refused
}

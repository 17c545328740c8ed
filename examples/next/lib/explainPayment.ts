import type { AnyKassaError } from 'kassa'
import { explainError } from './explainError'
import { shorten } from './shorten'

/** A buyer-facing explanation of a failed payment. */
export type PaymentNews = {
  /**
   * `calm`: nothing was sent. `careful`: a payment may be pending. `bad`: a transaction was sent and failed.
   */
  tone: 'calm' | 'careful' | 'bad'
  title: string
  text: string
  /** The transaction concerned, if any. */
  txId?: string
  /** The order's current price and its previous one. */
  prices?: { from: string; to: string }
  /** Whether the buyer needs the shop's help, because they cannot fix it themselves. */
  isForShop?: boolean
  /** Details for the person who fixes it. */
  detail?: string
}

const upper = (price: string): string => price.toUpperCase()

const stopped = (detail: string): PaymentNews => ({
  tone: 'calm',
  title: 'This payment was stopped',
  text: 'What your wallet was about to be asked is not what this order says. Nothing was sent and nothing was charged.',
  isForShop: true,
  detail,
})

/** Explains a payment error: what happened, whether money moved, and what to do. */
export const explainPayment = (error: AnyKassaError): PaymentNews => {
  switch (error.code) {
    case 'pay.price-changed':
      return {
        tone: 'calm',
        title: 'The price has changed',
        text: 'Nothing was sent. Your wallet is asked only once you accept the new price.',
        prices: { from: upper(error.context.from), to: upper(error.context.to) },
      }
    case 'pay.quote-expired':
      return {
        tone: 'calm',
        title: 'The quote has expired',
        text: 'Nothing was sent. Get a new price to go on.',
      }
    case 'pay.order-changed':
      return {
        tone: 'calm',
        title: 'The order has changed',
        text: 'Nothing was sent. Check it, then pay.',
      }
    case 'pay.rejected':
      return {
        tone: 'calm',
        title: 'Declined in your wallet',
        text: 'Nothing was sent. You declined the payment; pay whenever you are ready.',
      }
    case 'pay.not-connected':
      return {
        tone: 'calm',
        title: 'No wallet is connected',
        text: 'Nothing was sent. Connect a wallet, then pay.',
      }
    case 'pay.wrong-account':
      return {
        tone: 'calm',
        title: 'Your wallet is on another account',
        text: 'Nothing was sent. Switch back in your wallet, or go on with the account that is connected now.',
      }
    case 'pay.wrong-chain':
      return {
        tone: 'calm',
        title: 'Your wallet is on another network',
        text: 'Nothing was sent. Switch the network, then pay.',
      }
    case 'pay.insufficient-funds':
      return {
        tone: 'calm',
        title: `Not enough ${upper(error.context.currency)}`,
        text: 'Nothing was sent. Add funds to your wallet, or pay with another currency.',
      }
    case 'pay.insufficient-funds-for-gas':
      return {
        tone: 'calm',
        title: 'Not enough for the network fee',
        text: 'Nothing was sent. The fee is paid in the network’s own currency; add a little of it to your wallet.',
      }
    case 'pay.would-revert':
      return {
        tone: 'calm',
        title: 'The network would refuse this payment',
        text: 'It was tried out first, so nothing was sent. Try again in a moment.',
        detail: error.context.reason,
      }
    case 'pay.chain-unavailable':
      return {
        tone: 'calm',
        title: 'The network does not answer',
        text: 'Nothing was sent. Try again in a moment.',
      }
    case 'pay.in-other-tab':
      return {
        tone: 'calm',
        title: 'Open in another tab',
        text: 'This order is being paid in another tab. Go on there; this one follows by itself.',
      }
    case 'pay.vetoed':
      return {
        tone: 'calm',
        title: 'The shop has held this payment back',
        text: `Nothing was sent: ${error.context.reason}.`,
        isForShop: true,
      }
    case 'pay.amount-mismatch':
      return stopped(
        `It would have paid ${upper(error.context.prepared)}, not ${upper(error.context.quoted)}.`,
      )
    case 'pay.chain-mismatch':
      return stopped(`It was meant for ${error.context.prepared}, not for ${error.context.expected}.`)
    case 'pay.token-mismatch':
      return stopped(`It would have moved another token than ${upper(error.context.currency)}.`)
    case 'pay.recipient-mismatch':
      return stopped(
        `It would have paid ${shorten(error.context.prepared)}, which is not where this shop is paid.`,
      )
    case 'pay.call-not-allowed':
    case 'pay.preparation-invalid':
      return stopped(`It does something else than pay: ${error.context.reason}.`)
    case 'pay.token-unknown':
    case 'pay.chain-not-configured':
    case 'pay.not-payable':
      return {
        tone: 'calm',
        title: 'This order cannot be paid here',
        text: 'Nothing was sent. Try another currency, or ask the shop.',
        isForShop: true,
        detail: error.message,
      }
    case 'pay.uncertain':
      return {
        tone: 'careful',
        title: 'Check your wallet first',
        text: error.context.hasOpenTransaction
          ? 'It did not answer, but a transaction of your account is pending, which may be this payment.'
          : 'It did not answer, so the payment may still arrive.',
      }
    case 'pay.dropped':
      return {
        tone: 'careful',
        title: 'We can’t find your payment on the network',
        text: 'It may still arrive. Check your wallet, and pay again only if nothing was sent.',
        txId: error.context.txId,
      }
    case 'pay.cancelled':
      return {
        tone: 'calm',
        title: 'Payment cancelled',
        text: 'You cancelled it in your wallet, and paid only the network fee.',
        txId: error.context.txId,
      }
    case 'pay.replaced':
      return {
        tone: 'bad',
        title: 'Another transaction took its place',
        text: 'Your wallet sent another transaction instead of the payment, so this order is not paid.',
        txId: error.context.txId,
      }
    case 'pay.reverted':
      return {
        tone: 'bad',
        title: 'The network rejected the payment',
        text: 'You paid only the network fee.',
        txId: error.context.txId,
        detail: error.context.reason,
      }
    case 'pay.wallet-failed':
      return {
        tone: 'careful',
        title: 'Your wallet could not pay',
        text: 'Look in it: if it shows no payment, try again.',
        detail: error.context.reason,
      }
    default:
      return { tone: 'calm', title: 'That did not work', text: explainError(error) }
  }
}

import { chainErrors } from './chainError.js'
import type { ErrorTable } from './context.js'
import { createErrors } from './KassaError.js'

/** Shortens an address, leaving enough to tell it from another. */
const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** The errors of a payment. The table is separate, so that a page without payments does not load it. */
export const payErrors: ErrorTable<'pay'> = {
  ...chainErrors,
  'pay.not-connected': {
    message: () => 'No wallet is connected. Connect one, then pay.',
    remedy: 'connect-wallet',
    retryable: true,
  },
  'pay.not-payable': {
    message: ({ reason }) => `This order cannot be paid now: ${reason}.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.quote-expired': {
    message: () => 'The quote expired before it was paid. Nothing was sent. Get a new price, then pay.',
    remedy: 'refresh-quote',
    retryable: true,
  },
  'pay.price-changed': {
    message: ({ from, to }) =>
      `The price changed from ${from} to ${to}. Nothing was sent. Accept the new price to continue.`,
    remedy: 'accept-price',
    retryable: true,
  },
  'pay.preparation-invalid': {
    message: ({ reason }) =>
      `The prepared transaction does not match this order (${reason}). Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.amount-mismatch': {
    message: ({ quoted, prepared }) =>
      `The prepared transaction would pay ${prepared}, but the quote is for ${quoted}. Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.chain-mismatch': {
    message: ({ expected, prepared }) =>
      `The prepared transaction is for ${prepared}, but the order is paid on ${expected}. Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.token-unknown': {
    message: ({ chain, currency }) =>
      `This app does not know the token ${currency} on ${chain}, so it cannot check the payment. Add it to the tokens of <CheckoutProvider>.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'pay.token-mismatch': {
    message: ({ currency, expected, prepared }) =>
      `The prepared transaction would send the token ${short(prepared)}, but ${currency} is ${short(expected)}. Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.recipient-mismatch': {
    message: ({ expected, prepared }) =>
      `The prepared transaction would pay ${short(prepared)}, but this order is paid to ${short(expected)}. Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.call-not-allowed': {
    message: ({ reason }) =>
      `The prepared transaction does more than pay this order: ${reason}. Nothing was sent. Contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.would-revert': {
    message: ({ reason }) =>
      `The network would reject the payment: ${reason}. Nothing was sent. Try again, or contact the shop.`,
    remedy: 'retry',
    retryable: true,
  },
  'pay.vetoed': {
    message: ({ reason }) => `The shop stopped this payment: ${reason}. Nothing was sent.`,
    remedy: 'contact-shop',
    retryable: true,
  },
  'pay.wrong-account': {
    message: ({ expected, connected }) =>
      `The order must be paid from ${short(expected)}, but the wallet is on ${short(connected)}. Switch the account in the wallet, then pay.`,
    remedy: 'switch-account',
    retryable: true,
  },
  'pay.wrong-chain': {
    message: ({ expected }) =>
      `The wallet is not on ${expected}. Nothing was sent. Switch the network in the wallet, then pay.`,
    remedy: 'switch-network',
    retryable: true,
  },
  'pay.insufficient-funds': {
    message: ({ currency }) =>
      `The wallet does not have enough ${currency.toUpperCase()} for this order. Add funds, then pay.`,
    remedy: 'add-funds',
    retryable: true,
  },
  'pay.insufficient-funds-for-gas': {
    message: () =>
      'The wallet does not have enough of the network’s native currency for the fee. Add funds, then pay.',
    remedy: 'add-funds',
    retryable: true,
  },
  'pay.rejected': {
    message: () => 'The payment was declined in the wallet. Nothing was sent. Pay again when ready.',
    remedy: 'pay',
    retryable: true,
  },
  'pay.reverted': {
    message: ({ txId, reason }) =>
      `The network rejected payment ${short(txId)}: ${reason}. Nothing was paid except the network fee. Pay again.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.cancelled': {
    message: ({ txId }) =>
      `The payment was cancelled in the wallet by transaction ${short(txId)}. Nothing was paid. Pay again when ready.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.replaced': {
    message: ({ txId }) =>
      `Another transaction from the wallet, ${short(txId)}, replaced the payment. Nothing was paid. Pay again when ready.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.dropped': {
    message: ({ txId }) =>
      `The network dropped payment ${short(txId)}. It may still be mined. Check your wallet, and pay again only if it is not listed.`,
    remedy: 'check-wallet',
    retryable: true,
  },
  'pay.signature-refused': {
    message: ({ reason }) =>
      `The shop did not send the signed payment (${reason}). Nothing was paid. Pay again by a transaction, whose network fee the buyer pays.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.expired': {
    message: () =>
      'The payment expired before the network included it, and can no longer be included. Nothing was paid. Pay again.',
    remedy: 'pay',
    retryable: true,
  },
  'pay.chain-unavailable': {
    message: ({ chain }) =>
      `The network ${chain} is not responding. Nothing was sent. Try again in a moment.`,
    remedy: 'retry',
    retryable: true,
  },
  'pay.wallet-failed': {
    message: ({ reason }) =>
      `The wallet could not send the payment (${reason}). Check the wallet, then try again.`,
    remedy: 'check-wallet',
    retryable: true,
  },
  'pay.order-changed': {
    message: () => 'The order changed after you pressed the button. Nothing was sent. Check it, then pay.',
    remedy: 'pay',
    retryable: true,
  },
  'pay.in-other-tab': {
    message: () => 'This order is being paid in another tab. Continue there, or close that tab and pay here.',
    remedy: 'use-other-tab',
    retryable: true,
  },
  'pay.uncertain': {
    message: ({ hasOpenTransaction }) =>
      hasOpenTransaction
        ? 'We can’t see your payment yet, but a transaction from this account is pending. Wait for it, and check your wallet before you pay again.'
        : 'We can’t see your payment yet. Check your wallet, and pay again only if nothing was sent.',
    remedy: 'check-wallet',
    retryable: true,
  },
}

/** Creates an error of the `pay` area. */
export const payError = createErrors(payErrors)

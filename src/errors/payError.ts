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
      `The price has changed from ${from} to ${to}. Nothing was sent; accept the new price to go on.`,
    remedy: 'accept-price',
    retryable: true,
  },
  'pay.preparation-invalid': {
    message: ({ reason }) =>
      `The transaction to sign is not what this order needs (${reason}). Nothing was sent; contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.amount-mismatch': {
    message: ({ quoted, prepared }) =>
      `The transaction would pay ${prepared} where the quote says ${quoted}. Nothing was sent; contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.chain-mismatch': {
    message: ({ expected, prepared }) =>
      `The transaction to sign is for ${prepared}, the order is paid on ${expected}. Nothing was sent; contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.token-unknown': {
    message: ({ chain, currency }) =>
      `This app knows no token ${currency} on ${chain}, so the payment cannot be checked. Name it in the tokens of <CheckoutProvider>.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'pay.token-mismatch': {
    message: ({ currency, expected, prepared }) =>
      `The transaction would move ${short(prepared)}, but ${currency} is ${short(expected)}. Nothing was sent; contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.recipient-mismatch': {
    message: ({ expected, prepared }) =>
      `The transaction would pay ${short(prepared)}, but this order is paid to ${short(expected)}. Nothing was sent; contact the shop.`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'pay.call-not-allowed': {
    message: ({ reason }) =>
      `The transaction to sign does more than pay this order: ${reason}. Nothing was sent; contact the shop.`,
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
      `The order is to be paid by ${short(expected)}, the wallet is on ${short(connected)}. Switch the account in the wallet, then pay.`,
    remedy: 'switch-account',
    retryable: true,
  },
  'pay.wrong-chain': {
    message: ({ expected }) =>
      `The wallet is not on ${expected}. Nothing was sent; switch the network in the wallet, then pay.`,
    remedy: 'switch-network',
    retryable: true,
  },
  'pay.insufficient-funds': {
    message: ({ currency }) =>
      `The wallet holds too little ${currency.toUpperCase()} for this order. Add funds, then pay.`,
    remedy: 'add-funds',
    retryable: true,
  },
  'pay.insufficient-funds-for-gas': {
    message: () =>
      'The wallet holds too little of the network’s own currency for the fee. Add funds, then pay.',
    remedy: 'add-funds',
    retryable: true,
  },
  'pay.rejected': {
    message: () => 'The payment was declined in the wallet. Nothing was sent; pay again when ready.',
    remedy: 'pay',
    retryable: true,
  },
  'pay.reverted': {
    message: ({ txId, reason }) =>
      `The network turned the payment ${short(txId)} down: ${reason}. Nothing was paid but the fee; pay again.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.cancelled': {
    message: ({ txId }) =>
      `The payment was cancelled in the wallet by ${short(txId)}, so nothing was paid. Pay again when ready.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.replaced': {
    message: ({ txId }) =>
      `Another transaction of the wallet, ${short(txId)}, took the place of the payment, so nothing was paid. Pay again when ready.`,
    remedy: 'pay',
    retryable: true,
  },
  'pay.dropped': {
    message: ({ txId }) =>
      `The network has forgotten the payment ${short(txId)}; it may still come back. Look in the wallet: pay again only if it shows none.`,
    remedy: 'check-wallet',
    retryable: true,
  },
  'pay.expired': {
    message: () =>
      'The network did not take the payment in time, and cannot take it any more. Nothing was paid; pay again.',
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
    message: () =>
      'The order has changed since you pressed the button. Nothing was sent. Check it, then pay.',
    remedy: 'pay',
    retryable: true,
  },
  'pay.in-other-tab': {
    message: () => 'This order is being paid in another tab. Go on there, or close it and pay here.',
    remedy: 'use-other-tab',
    retryable: true,
  },
  'pay.uncertain': {
    message: ({ hasOpenTransaction }) =>
      hasOpenTransaction
        ? 'We can’t see your payment yet, but a transaction of this account is pending. Wait for it, and check your wallet before you pay again.'
        : 'We can’t see your payment yet. Check your wallet, and pay again only if nothing was sent.',
    remedy: 'check-wallet',
    retryable: true,
  },
}

/** Creates an error of the `pay` area. */
export const payError = createErrors(payErrors)

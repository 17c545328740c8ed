/** What is known about each error: its code, and the facts that came with it. */
export type ErrorContext = {
  'config.provider-missing': { name: string }
  'config.part-outside-root': { part: string }
  'api.unreachable': { url: string }
  'api.timeout': { url: string; timeoutMs: number }
  'api.invalid-answer': { url: string; issues: string }
  'api.bad-request': ApiContext
  'api.unauthorized': ApiContext
  'api.forbidden': ApiContext
  'api.not-found': ApiContext
  'api.conflict': ApiContext
  'api.rate-limited': ApiContext
  'api.unavailable': ApiContext
  'api.failed': ApiContext
  'pay.not-connected': object
  'pay.not-payable': { reason: string }
  'pay.quote-expired': object
  'pay.price-changed': { from: string; to: string }
  'pay.preparation-invalid': { reason: string }
  'pay.amount-mismatch': { quoted: string; prepared: string }
  'pay.chain-mismatch': { expected: string; prepared: string }
  'pay.token-unknown': { chain: string; currency: string }
  'pay.token-mismatch': { currency: string; expected: string; prepared: string }
  'pay.recipient-mismatch': { expected: string; prepared: string }
  'pay.call-not-allowed': { reason: string }
  'pay.would-revert': { reason: string }
  'pay.vetoed': { reason: string }
  'pay.wrong-account': { expected: string; connected: string }
  'pay.wrong-chain': { expected: string }
  'pay.chain-not-configured': { chain: string }
  'pay.insufficient-funds': { currency: string }
  'pay.insufficient-funds-for-gas': object
  'pay.rejected': object
  'pay.reverted': { txId: string; reason: string }
  'pay.cancelled': { txId: string }
  'pay.replaced': { txId: string }
  'pay.dropped': { txId: string }
  'pay.chain-unavailable': { chain: string }
  'pay.wallet-failed': { reason: string }
  'pay.uncertain': { attemptedAt: string; hasOpenTransaction: boolean }
  'pay.in-other-tab': object
  'pay.order-changed': object
}

/** What an answer of the service said. */
export type ApiContext = {
  status: number
  message: string
  requestId?: string | undefined
  retryAfterMs?: number | undefined
}

/** Every way the library can fail; `switch (error.code)` narrows `error.context`. */
export type KassaErrorCode = keyof ErrorContext

/**
 * What helps against an error, for an app that offers it as a button.
 *
 * - `retry`: the same again, perhaps in a moment; `pay`: press pay again.
 * - `check-wallet`: look in the wallet first, it may already have paid.
 * - `accept-price`: agree to the price the order has now; `refresh-quote`: ask for a new one.
 * - `contact-shop`: the buyer cannot mend it, and must not be asked to try again.
 * - `fix-app`: the app's own code or configuration has to change.
 */
export type Remedy =
  | 'retry'
  | 'pay'
  | 'connect-wallet'
  | 'switch-account'
  | 'switch-network'
  | 'add-funds'
  | 'check-wallet'
  | 'accept-price'
  | 'refresh-quote'
  | 'use-other-tab'
  | 'contact-shop'
  | 'fix-app'

type Row<Code extends KassaErrorCode> = {
  /** What happened, why it matters, and what to do. */
  message(context: ErrorContext[Code]): string
  /** What helps against it. */
  remedy: Remedy
  /** Whether the same call may succeed when tried again, perhaps after the buyer did something. */
  retryable: boolean
}

/** An address short enough to read and long enough to tell from another. */
const short = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`

/** Every error there is: its message and whether trying again may help. A code without a row does not compile. */
export const errorTable: { [Code in KassaErrorCode]: Row<Code> } = {
  'config.provider-missing': {
    message: ({ name }) =>
      `${name} found no checkout client. Render it inside <CheckoutProvider client={…}>.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'config.part-outside-root': {
    message: ({ part }) => `<${part}> was rendered outside <Checkout.Root>. Move it inside.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.unreachable': {
    message: () =>
      'The checkout service cannot be reached. Check the connection; nothing was lost, try again.',
    remedy: 'retry',
    retryable: true,
  },
  'api.timeout': {
    message: ({ timeoutMs }) =>
      `The checkout service took longer than ${timeoutMs / 1000} s to answer. Try again in a moment.`,
    remedy: 'retry',
    retryable: true,
  },
  'api.invalid-answer': {
    message: ({ url, issues }) =>
      `The answer from ${url} is not one this version understands (${issues}). Check that baseUrl names a checkout service.`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.bad-request': {
    message: ({ message }) => `The service refused the input: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.unauthorized': {
    message: ({ message }) => `The service did not accept the key or client secret: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.forbidden': {
    message: ({ message }) => `The key may not do this: ${message}`,
    remedy: 'fix-app',
    retryable: false,
  },
  'api.not-found': {
    message: ({ message }) => `The service knows no such thing: ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.conflict': {
    message: ({ message }) => `The order is past the point where this is possible: ${message}`,
    remedy: 'contact-shop',
    retryable: false,
  },
  'api.rate-limited': {
    message: () => 'Too many requests in a short time. Wait a moment, then try again.',
    remedy: 'retry',
    retryable: true,
  },
  'api.unavailable': {
    message: () => 'The checkout service is away for a moment. Nothing was lost; try again in a few minutes.',
    remedy: 'retry',
    retryable: true,
  },
  'api.failed': {
    message: ({ status, requestId }) =>
      `The checkout service failed (${status}). Try again; if it goes on, tell support request id ${requestId ?? 'unknown'}.`,
    remedy: 'retry',
    retryable: true,
  },
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
    message: () => 'The price has run out before it was paid. Nothing was sent; get a new price, then pay.',
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
      `The network would turn the payment down: ${reason}. Nothing was sent; try again, or contact the shop.`,
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
  'pay.chain-not-configured': {
    message: ({ chain }) =>
      `The order is paid on ${chain}, which this app's wagmi config lacks. Add the chain to it.`,
    remedy: 'fix-app',
    retryable: false,
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
  'pay.chain-unavailable': {
    message: ({ chain }) => `The network ${chain} does not answer. Nothing was sent; try again in a moment.`,
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
      'The order has changed since you pressed the button. Nothing was sent; look at it again, then pay.',
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
        ? 'A payment was handed to the wallet and has not been seen yet, but a transaction of this account is under way. Wait for it, and look in the wallet before paying again.'
        : 'A payment was handed to the wallet and has not been seen yet. Look in the wallet: pay again only if it shows none.',
    remedy: 'check-wallet',
    retryable: true,
  },
}

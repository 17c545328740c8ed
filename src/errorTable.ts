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
  'pay.preparation-invalid': { reason: string }
  'pay.amount-mismatch': { quoted: string; prepared: string }
  'pay.wrong-account': { expected: string; connected: string }
  'pay.wrong-chain': { expected: string }
  'pay.chain-not-configured': { chain: string }
  'pay.insufficient-funds': { currency: string }
  'pay.insufficient-funds-for-gas': object
  'pay.rejected': object
  'pay.reverted': { txId: string }
  'pay.cancelled': { txId: string }
  'pay.chain-unavailable': { chain: string }
  'pay.wallet-failed': { reason: string }
  'pay.uncertain': { attemptedAt: string }
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

type Row<Code extends KassaErrorCode> = {
  /** What happened, why it matters, and what to do. */
  message(context: ErrorContext[Code]): string
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
    retryable: false,
  },
  'config.part-outside-root': {
    message: ({ part }) => `<${part}> was rendered outside <Checkout.Root>. Move it inside.`,
    retryable: false,
  },
  'api.unreachable': {
    message: () =>
      'The checkout service cannot be reached. Check the connection; nothing was lost, try again.',
    retryable: true,
  },
  'api.timeout': {
    message: ({ timeoutMs }) =>
      `The checkout service took longer than ${timeoutMs / 1000} s to answer. Try again in a moment.`,
    retryable: true,
  },
  'api.invalid-answer': {
    message: ({ url, issues }) =>
      `The answer from ${url} is not one this version understands (${issues}). Check that baseUrl names a checkout service.`,
    retryable: false,
  },
  'api.bad-request': {
    message: ({ message }) => `The service refused the input: ${message}`,
    retryable: false,
  },
  'api.unauthorized': {
    message: ({ message }) => `The service did not accept the key or client secret: ${message}`,
    retryable: false,
  },
  'api.forbidden': {
    message: ({ message }) => `The key may not do this: ${message}`,
    retryable: false,
  },
  'api.not-found': {
    message: ({ message }) => `The service knows no such thing: ${message}`,
    retryable: false,
  },
  'api.conflict': {
    message: ({ message }) => `The order is past the point where this is possible: ${message}`,
    retryable: false,
  },
  'api.rate-limited': {
    message: () => 'Too many requests in a short time. Wait a moment, then try again.',
    retryable: true,
  },
  'api.unavailable': {
    message: () => 'The checkout service is away for a moment. Nothing was lost; try again in a few minutes.',
    retryable: true,
  },
  'api.failed': {
    message: ({ status, requestId }) =>
      `The checkout service failed (${status}). Try again; if it goes on, tell support request id ${requestId ?? 'unknown'}.`,
    retryable: true,
  },
  'pay.not-connected': {
    message: () => 'No wallet is connected. Connect one, then pay.',
    retryable: true,
  },
  'pay.not-payable': {
    message: ({ reason }) => `This order cannot be paid now: ${reason}.`,
    retryable: false,
  },
  'pay.quote-expired': {
    message: () => 'The price has run out before it was paid. Nothing was sent; get a new price, then pay.',
    retryable: true,
  },
  'pay.preparation-invalid': {
    message: ({ reason }) =>
      `The transaction to sign is not what this order needs (${reason}). Nothing was sent; contact the shop.`,
    retryable: false,
  },
  'pay.amount-mismatch': {
    message: ({ quoted, prepared }) =>
      `The transaction would pay ${prepared} where the quote says ${quoted}. Nothing was sent; contact the shop.`,
    retryable: false,
  },
  'pay.wrong-account': {
    message: ({ expected, connected }) =>
      `The order is to be paid by ${short(expected)}, the wallet is on ${short(connected)}. Switch the account in the wallet, then pay.`,
    retryable: true,
  },
  'pay.wrong-chain': {
    message: ({ expected }) =>
      `The wallet is not on ${expected}. Nothing was sent; switch the network in the wallet, then pay.`,
    retryable: true,
  },
  'pay.chain-not-configured': {
    message: ({ chain }) =>
      `The order is paid on ${chain}, which this app's wagmi config lacks. Add the chain to it.`,
    retryable: false,
  },
  'pay.insufficient-funds': {
    message: ({ currency }) => `The wallet holds too little ${currency} for this order. Add funds, then pay.`,
    retryable: true,
  },
  'pay.insufficient-funds-for-gas': {
    message: () =>
      'The wallet holds too little of the network’s own currency for the fee. Add funds, then pay.',
    retryable: true,
  },
  'pay.rejected': {
    message: () => 'The payment was declined in the wallet. Nothing was sent; pay again when ready.',
    retryable: true,
  },
  'pay.reverted': {
    message: ({ txId }) =>
      `The payment ${txId} was turned down by the network, so nothing was paid. Pay again.`,
    retryable: true,
  },
  'pay.cancelled': {
    message: ({ txId }) => `The payment was cancelled in the wallet by ${txId}. Pay again when ready.`,
    retryable: true,
  },
  'pay.chain-unavailable': {
    message: ({ chain }) => `The network ${chain} does not answer. Nothing was sent; try again in a moment.`,
    retryable: true,
  },
  'pay.wallet-failed': {
    message: ({ reason }) =>
      `The wallet could not send the payment (${reason}). Check the wallet, then try again.`,
    retryable: true,
  },
  'pay.order-changed': {
    message: () =>
      'The order has changed since you pressed the button. Nothing was sent; look at it again, then pay.',
    retryable: true,
  },
  'pay.in-other-tab': {
    message: () => 'This order is being paid in another tab. Go on there, or close it and pay here.',
    retryable: true,
  },
  'pay.uncertain': {
    message: () =>
      'A payment was handed to the wallet and no answer came back. Look in the wallet: pay again only if it shows none.',
    retryable: true,
  },
}

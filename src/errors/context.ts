/** What is known about each error: its code, and the facts that came with it. */
export type ErrorContext = {
  'config.provider-missing': { name: string }
  'config.part-outside-root': { part: string }
  'config.key-invalid': { reason: string }
  'config.in-browser': { name: string }
  'config.origin-invalid': { origin: string }
  'config.user-invalid': { reason: string }
  'config.function-slow': { name: 'user' | 'canCreate' | 'canSend'; timeoutMs: number }
  'api.unreachable': { url: string }
  'api.timeout': { url: string; timeoutMs: number }
  'api.not-loaded': object
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
  /** `sentence` is what the app's own check said to the buyer. */
  'pay.vetoed': { reason: string; sentence?: string | undefined }
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
  'input.id-invalid': { name: string }
  'cart.refused': { message: string }
  'cart.draft-invalid': { name: 'createOrder' | 'editOrder'; reason: string }
  'action.unfinished': { actionId: string; timeoutMs: number }
  'transaction.unfinished': { transactionId: string; timeoutMs: number }
  'transaction.not-connected': { signer: string }
  'transaction.wrong-signer': { expected: string; connected: string }
  'transaction.signer-unknown': { signer: string }
  'transaction.mismatch': { transactionId: string; reason: string }
  'transaction.rejected': { signer: string }
  'transaction.wallet-failed': { reason: string }
  /** `message` is what the shop's own check said to the user. */
  'transaction.not-allowed': { message: string }
  'transaction.refused': { reason: string; message: string }
  'transaction.reverted': RevertContext
  'transaction.failed': { transactionId: string; reason: string; message: string }
  'passkey.unavailable': { reason: string }
  'passkey.rejected': object
  'passkey.failed': { reason: string }
  'wallet.client-missing': { name: string }
  'wallet.handler-missing': { url: string; message: string }
  'webhook.headers-missing': { missing: readonly string[] }
  'webhook.timestamp-invalid': { reason: string }
  'webhook.signature-invalid': object
  'webhook.body-invalid': { reason: string }
  'webhook.body-too-large': { limitBytes: number }
  'webhook.secret-invalid': { reason: string }
}

/** What an answer of the service said. */
export type ApiContext = {
  status: number
  message: string
  requestId?: string | undefined
  retryAfterMs?: number | undefined
}

/** What a wallet's transaction did that the network turned down. */
export type RevertContext = {
  /** `contract_call`, `wallet_authorization`, `wallet_deployment`, or what a newer service names. */
  type: string
  /** In the contract's words, or as the service decoded them. */
  reason: string
  /** The bytes that the contract answered with. */
  reasonData?: string | undefined
  /** Of a transaction that had been sent; without one nothing was, nor signed. */
  transactionId?: string | undefined
  explorerLink?: string | undefined
  /** Where to look at how it was tried out, at services that tell. */
  simulationLink?: string | undefined
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

/** The codes of one area, such as `pay`. */
export type ErrorCodeOf<Area extends string> = Extract<KassaErrorCode, `${Area}.${string}`>

/** What is known about an error before it happens. */
export type ErrorRow<Code extends KassaErrorCode> = {
  /** For developers and logs: what happened, why it matters, and what to do. Buyers read the parts' own messages. */
  message(context: ErrorContext[Code]): string
  /** What helps against it. */
  remedy: Remedy
  /** Whether the same call may succeed when tried again, perhaps after the buyer did something. */
  retryable: boolean
}

/** Every error of one area. A code without a row does not compile. */
export type ErrorTable<Area extends string> = { [Code in ErrorCodeOf<Area>]: ErrorRow<Code> }

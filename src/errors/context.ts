/** The context of each error code. */
export type ErrorContext = {
  'config.provider-missing': { name: string }
  'config.provider-in-server-component': { name: string }
  'config.query-client-missing': { name: string }
  'config.client-missing': { name: string }
  'config.part-outside-root': { part: string }
  'config.key-invalid': { reason: string }
  'config.in-browser': { name: string }
  'config.server-key-exposed': object
  'config.base-url-invalid': { baseUrl: string | undefined; reason: string }
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
  /** `sentence` is the message of the app's own check for the buyer. */
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
  'pay.signature-refused': { reason: string }
  'pay.expired': object
  'pay.chain-unavailable': { chain: string }
  'pay.wallet-failed': { reason: string }
  'pay.uncertain': { attemptedAt: string; hasOpenTransaction: boolean }
  'pay.in-other-tab': object
  'pay.order-changed': object
  'input.id-invalid': { name: string }
  'input.client-secret-missing': { orderId: string }
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
  /** `message` is the message of the shop's own check for the user. */
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

/** The facts of an answer of the service. */
export type ApiContext = {
  status: number
  message: string
  requestId?: string | undefined
  retryAfterMs?: number | undefined
}

/** The part of a wallet's transaction that reverted. */
export type RevertContext = {
  /** `contract_call`, `wallet_authorization`, `wallet_deployment`, or a newer service's type. */
  type: string
  /** In the contract's words, or as the service decoded them. */
  reason: string
  /** The contract's revert data. */
  reasonData?: string | undefined
  /** Set if the transaction was sent; otherwise nothing was sent or signed. */
  transactionId?: string | undefined
  explorerLink?: string | undefined
  /** A page about the simulation, for services that have one. */
  simulationLink?: string | undefined
}

/** Every error code of the library. `switch (error.code)` narrows `error.context`. */
export type KassaErrorCode = keyof ErrorContext

/**
 * What solves an error, for an app that offers it as a button.
 *
 * - `retry`: the same again, perhaps in a moment; `pay`: press pay again.
 * - `check-wallet`: check the wallet first, because it may already have paid.
 * - `accept-price`: accept the order's current price; `refresh-quote`: request a new one.
 * - `contact-shop`: the buyer cannot fix it, and must not be asked to try again.
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

/** The properties of an error code. */
export type ErrorRow<Code extends KassaErrorCode> = {
  /**
   * The message for developers and logs: what happened, why it matters, and what to do. Buyers read the
   * parts' own messages.
   */
  message(context: ErrorContext[Code]): string
  /** What solves it. */
  remedy: Remedy
  /** Whether the same call may succeed on a retry, perhaps after an action of the buyer. */
  retryable: boolean
}

/** The errors of one area. A code without a row does not compile. */
export type ErrorTable<Area extends string> = { [Code in ErrorCodeOf<Area>]: ErrorRow<Code> }

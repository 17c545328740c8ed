import { notAllowed } from '../api/transactions.js'
import type { SignerType } from '../schema/members.js'
import type { Known } from '../schema/open.js'
import { callShop, findNo } from './callShop.js'
import { HttpError } from './HttpError.js'
import type { TransactionParams } from './readWalletBody.js'

/** A transaction that a signed-in user requests. */
export type TransactionToCheck = TransactionParams & {
  /** The user's locator from the shop's own session. */
  user: string
  /** The address of the sending wallet. */
  address: string
  /**
   * Who signs for the wallet, according to the service. With `evm-passkey` and `evm-keypair`, the transaction
   * waits until its owner approves it with a passkey or an account. With `evm-kassa-custodial`, the service
   * keeps the key and signs without asking; that is so for every `evm-mpc-wallet`, and possible for a smart
   * wallet. Undefined if the service does not say: then it may also sign without asking.
   */
  signerType: Known<SignerType> | undefined
  /** The browser's request, for its cookies and headers. Its body has already been read. */
  request: Request
}

/** A shop's own check of a transaction. False or a sentence for the user stops it. */
export type CheckTransaction = (
  transaction: TransactionToCheck,
) => boolean | string | Promise<boolean | string>

/**
 * Asks the shop whether a transaction is allowed.
 *
 * @throws {@link HttpError} 403; {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const checkTransaction = async (
  canSend: CheckTransaction,
  transaction: TransactionToCheck,
  timeoutMs: number,
): Promise<void> => {
  const verdict = await callShop('canSend', () => canSend(transaction), timeoutMs)
  const message = findNo(verdict, 'The shop does not send this transaction')
  if (message !== undefined) throw new HttpError(403, message, { reason: notAllowed })
}

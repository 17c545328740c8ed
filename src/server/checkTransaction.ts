import { notAllowed } from '../api/readTransactionRefusal.js'
import type { EvmSignerType } from '../schema/members.js'
import type { Open } from '../schema/open.js'
import { callShop, findNo } from './callShop.js'
import { Refusal } from './Refusal.js'
import type { TransactionParams } from './readWalletBody.js'

/** A transaction that a signed-in user asks for. */
export type TransactionToCheck = TransactionParams & {
  /** As the shop's own session names them. */
  user: string
  /** Of the wallet that is to send. */
  address: string
  /**
   * Who signs for that wallet, as the service says. `evm-passkey` and `evm-keypair`: the transaction waits for a passkey
   * or an account, and its owner is asked. `evm-kassa-custodial`: the service, which keeps the key and asks nobody; that
   * is so of every `evm-mpc-wallet`, and may be so of a smart wallet. Undefined where a service does not say: then
   * nobody may be asked either.
   */
  signerType: Open<EvmSignerType> | undefined
  /** The browser's request, for its cookies and headers; its body has been read. */
  request: Request
}

/** A shop's own function: whether a transaction may be; false or a sentence for the user stops it. */
export type CheckTransaction = (
  transaction: TransactionToCheck,
) => boolean | string | Promise<boolean | string>

/**
 * Asks the shop whether a transaction may be.
 *
 * @throws {@link Refusal} 403; {@link KassaError} `config.function-slow`; whatever the function throws.
 */
export const checkTransaction = async (
  canSend: CheckTransaction,
  transaction: TransactionToCheck,
  timeoutMs: number,
): Promise<void> => {
  const verdict = await callShop('canSend', () => canSend(transaction), timeoutMs)
  const message = findNo(verdict, 'The shop does not send this')
  if (message !== undefined) throw new Refusal(403, message, {}, { reason: notAllowed })
}

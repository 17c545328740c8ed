import type { UserOperation } from 'kassa/schema'
import type { EncodedCall, PreparedOperation, WalletPort } from '../chains/walletPort.js'
import { ServiceError } from '../errors.js'
import type { WalletRow } from '../wallets/findWallet.js'
import { toSmartWalletRef } from '../wallets/smartWalletRef.js'

/** A call that the chain would not have. */
type Reverted = Extract<PreparedOperation, { status: 'reverted' }>

/**
 * Tells of calls that revert before anything is signed.
 *
 * @throws {@link ServiceError} `reverted`.
 * @source interface.md "Errors"
 */
export const refuseReverted = ({ message, revert }: Reverted): never => {
  const detail = { reason: 'execution_reverted', message, revert }
  throw new ServiceError('reverted', `The transaction reverted during execution: ${revert.reason}`, {
    detail,
  })
}

/** A number as operations have it. */
const toHex = (number: bigint): string => `0x${number.toString(16)}`

/** Numbers an operation. */
export const withNonce = (draft: UserOperation, nonce: bigint): UserOperation => ({
  ...draft,
  nonce: toHex(nonce),
})

/**
 * Tries calls out and makes an operation of them, to be numbered and signed.
 *
 * @throws {@link ServiceError} `reverted`, `chain-unavailable`.
 */
export const prepareDraft = async (
  port: WalletPort,
  wallet: WalletRow,
  input: { calls: readonly EncodedCall[]; nonce: bigint; isSponsored: boolean },
): Promise<UserOperation> => {
  const prepared = await port.prepareOperation({ wallet: toSmartWalletRef(wallet), ...input })
  if (prepared.status === 'reverted') return refuseReverted(prepared)
  return prepared.operation
}

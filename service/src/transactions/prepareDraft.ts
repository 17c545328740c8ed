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
export const withNonce = (operation: UserOperation, nonce: bigint): UserOperation => ({
  ...operation,
  nonce: toHex(nonce),
})

/** An operation to be numbered and signed, and what its wallet had to spend when it was made. */
export type Draft = { operation: UserOperation; spareWei: bigint }

/**
 * Tries calls out and makes an operation of them.
 *
 * @throws {@link ServiceError} `reverted`, `chain-unavailable`.
 */
export const prepareDraft = async (
  port: WalletPort,
  wallet: WalletRow,
  input: { calls: readonly EncodedCall[]; nonce: bigint; isSponsored: boolean },
): Promise<Draft> => {
  const prepared = await port.prepareOperation({ wallet: toSmartWalletRef(wallet), ...input })
  if (prepared.status === 'reverted') return refuseReverted(prepared)
  const { operation, spareWei } = prepared
  return { operation, spareWei }
}

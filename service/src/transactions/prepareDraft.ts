import type { UserOperation } from 'kassa/schema'
import { ServiceError } from '../errors.js'
import type { EncodedCall, PreparedOperation, WalletPort } from '../ports/wallet.js'
import type { WalletRow } from '../wallets/findWallet.js'
import { toSmartWalletRef } from '../wallets/smartWalletRef.js'

/** Calls that the chain would revert. */
type Reverted = Extract<PreparedOperation, { status: 'reverted' }>

/**
 * Reports calls that revert before anything is signed.
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

const toHex = (number: bigint): string => `0x${number.toString(16)}`

/** Returns the operation with another nonce. */
export const withNonce = (operation: UserOperation, nonce: bigint): UserOperation => ({
  ...operation,
  nonce: toHex(nonce),
})

/** An operation to number and sign, and its wallet's funds when it was prepared. */
export type Draft = { operation: UserOperation; spareWei: bigint }

/**
 * Simulates calls and builds an operation of them.
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

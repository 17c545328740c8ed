import { reverted } from 'kassa/engine'
import type { UserOperation } from 'kassa/schema'
import { toServiceError } from '#base/errors.js'
import type { EncodedCall } from '#base/ports/calls.js'
import type { OperationPort } from '#base/ports/operations.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { toSmartWalletRef } from '#identity/wallets/smartWalletRef.js'

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
  port: OperationPort,
  wallet: WalletRow,
  input: { calls: readonly EncodedCall[]; nonce: bigint; isSponsored: boolean },
): Promise<Draft> => {
  const prepared = await port.prepare({ wallet: toSmartWalletRef(wallet), ...input })
  if (prepared.status === 'reverted') throw toServiceError(reverted(prepared))
  const { operation, spareWei } = prepared
  return { operation, spareWei }
}

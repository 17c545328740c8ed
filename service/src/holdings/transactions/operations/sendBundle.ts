import { operationOf } from 'kassa/engine'
import type { BundleResult } from '#base/ports/operations.js'
import { toSmartWalletRef } from '#identity/wallets/smartWalletRef.js'
import type { SmartWalletOnChain } from '../actingWallet.js'
import type { TransactionRow } from '../transaction.js'

/** Sends a bundle, or waits for the transaction in which it was sent before. */
export const sendBundle = (
  { wallet, port }: SmartWalletOnChain,
  key: string,
  members: readonly TransactionRow[],
): Promise<BundleResult> =>
  port.send(key, {
    operations: members.map((row) => operationOf(row).operation),
    errors: members.map(({ calls }) => calls.flatMap(({ errors }) => errors ?? [])),
    wallet: toSmartWalletRef(wallet),
  })

import type { BundleResult } from '../chains/walletPort.js'
import { toSmartWalletRef } from '../wallets/smartWalletRef.js'
import type { WalletOnChain } from './createOperation.js'
import type { TransactionRow } from './transaction.js'
import { operationOf } from './viewTransaction.js'

/** Sends a bundle, or waits for the transaction in which it was sent before. */
export const sendBundle = (
  { wallet, port }: WalletOnChain,
  key: string,
  members: readonly TransactionRow[],
): Promise<BundleResult> =>
  port.sendOperations(key, {
    operations: members.map((row) => operationOf(row).operation),
    errors: members.map(({ calls }) => calls.flatMap(({ errors }) => errors ?? [])),
    wallet: toSmartWalletRef(wallet),
  })

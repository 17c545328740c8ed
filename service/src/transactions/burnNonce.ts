import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import type { BundleResult } from '../ports/wallet.js'
import { toSmartWalletRef } from '../wallets/smartWalletRef.js'
import type { WalletOnChain } from './createOperation.js'
import { type Draft, prepareDraft, withNonce } from './prepareDraft.js'
import { withCustodialKey } from './withCustodialKey.js'

/**
 * Prepares an operation that does nothing. Its wallet pays for it as for any other, unless its funds are too
 * low.
 */
const draftNothing = async (
  { config }: Deps,
  { wallet, port }: WalletOnChain,
  nonce: bigint,
): Promise<Draft> => {
  const calls = [{ to: wallet.address, value: 0n, data: '0x' }]
  const draft = (isSponsored: boolean) => prepareDraft(port, wallet, { calls, nonce, isSponsored })
  if (config.sponsorsGas) return draft(true)
  return draft(false).catch((error) => {
    if (error instanceof ServiceError && error.code === 'reverted') return draft(true)
    throw error
  })
}

/** Uses up a nonce of a custodial wallet with an operation that does nothing. */
export const burnNonce = async (
  deps: Deps,
  on: WalletOnChain,
  key: string,
  nonce: bigint,
): Promise<BundleResult> => {
  const { wallet, port } = on
  const { operation } = await draftNothing(deps, on, nonce)
  const unsigned = withNonce(operation, nonce)
  const signature = await withCustodialKey(deps, wallet, (privateKey) =>
    port.signMessage(privateKey, port.hashOperation(unsigned)),
  )
  const operations = [{ ...unsigned, signature }]
  return port.sendOperations(key, { operations, errors: [[]], wallet: toSmartWalletRef(wallet) })
}

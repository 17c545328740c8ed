import { getWallet } from '../api/index.js'
import { askHandler } from './askHandler.js'
import type { SendingContext } from './sendingContext.js'

/**
 * Gets the current user's wallet, because another user may have signed in without notice. Clears what is
 * stored of another user's wallet.
 *
 * @returns Its address; undefined when another user's wallet was shown and is now cleared.
 */
export const findWallet = async ({
  client,
  walletLocator,
  attempts,
  store,
}: SendingContext): Promise<string | undefined> => {
  const { address } = await askHandler(client, getWallet(client, { walletLocator }))
  const kept = attempts.get()
  if (kept && kept.wallet !== address) attempts.clear()
  if (store.wallet === undefined || store.wallet === address) return address
  store.restart()
  return undefined
}

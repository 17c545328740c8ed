import { getWallet } from '../api/index.js'
import { askHandler } from './askHandler.js'
import type { SendingContext } from './sendingContext.js'

/**
 * Asks whose the wallet is now: that somebody else has signed in, nobody may have said. What is kept of another's is
 * forgotten.
 *
 * @returns Its address; undefined where another's was shown, which is cleared.
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

import { clip } from '../../../engine/clip.js'
import { explainDisabled } from '../../../engine/explainDisabled.js'
import { invalid } from '../../../engine/invalidInput.js'
import type { TestChainName } from '../../network.js'
import type { Answer } from '../http.js'
import { HttpError, readPage } from '../http.js'
import type { TestUserWallet, TestWorld, WalletTransaction } from '../testWorld.js'
import { progressTransaction } from './sendTransaction.js'
import { requireTestWallet } from './wallets.js'
import { viewWalletTransaction } from './walletTransaction.js'

/**
 * Finds a transaction of a wallet, as it is now.
 *
 * @throws {@link HttpError} 404, of another wallet's too.
 */
export const requireTransaction = (
  world: TestWorld,
  wallet: TestUserWallet,
  id: string,
): WalletTransaction => {
  const transaction = world.transactions.get(id.toLowerCase())
  if (transaction?.wallet !== wallet) throw new HttpError(404, `Transaction ${clip(id)} not found`)
  progressTransaction(world, transaction)
  return transaction
}

/** Gets a transaction of a wallet. */
export const getWalletTransaction = (world: TestWorld, locator: string, id: string): Answer => {
  const wallet = requireTestWallet(world, locator)
  return { status: 200, body: viewWalletTransaction(requireTransaction(world, wallet, id)) }
}

/** Lists what a wallet did and is about to do, newest first, on all chains. */
export const listWalletTransactions = (world: TestWorld, locator: string, query: URLSearchParams): Answer => {
  const takePage = readPage(query)
  const wallet = requireTestWallet(world, locator)
  const own = [...world.transactions.values()].filter((one) => one.wallet === wallet).reverse()
  for (const transaction of own) progressTransaction(world, transaction)
  return { status: 200, body: { transactions: takePage(own).map(viewWalletTransaction) } }
}

/**
 * Reads the name of an enabled chain.
 *
 * @throws {@link InvalidInput} naming the field and the chains that are enabled.
 */
export const readChain = (
  { enabled }: Pick<TestWorld, 'enabled'>,
  field: string,
  text: string,
): TestChainName => {
  const name = enabled.find((known) => known === text)
  if (name) return name
  throw invalid(field, explainDisabled(text, enabled))
}

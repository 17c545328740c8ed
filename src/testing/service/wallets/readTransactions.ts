import * as z from 'zod/mini'
import { clip } from '../../../engine/clip.js'
import { parseInput } from '../../../engine/parseInput.js'
import { type EvmChainName, evmChains } from '../../../schema/chains.js'
import type { Answer } from '../http.js'
import { badInput, HttpError } from '../http.js'
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

const PageQuery = z.object({
  page: z._default(
    z
      .string()
      .check(
        z.regex(/^[1-9]\d*$/, 'expected a whole number of 1 or more'),
        z.maxLength(100, 'expected 100 digits or fewer'),
      ),
    '1',
  ),
  perPage: z._default(
    z.string().check(z.regex(/^([1-9]\d?|100)$/, 'expected a whole number from 1 to 100')),
    '10',
  ),
})

/**
 * Reads which part of a list is asked for.
 *
 * @returns What takes that part of a list.
 * @throws {@link HttpError} naming the field.
 */
export const readPage = (query: URLSearchParams): (<Item>(list: readonly Item[]) => Item[]) => {
  const { page, perPage } = parseInput(PageQuery, Object.fromEntries(query), 'query')
  const [size, from] = [Number(perPage), (Number(page) - 1) * Number(perPage)]
  return (list) => list.slice(from, from + size)
}

/** A chain that is enabled. */
export type EnabledChain = { name: EvmChainName; chainId: number }

/**
 * Reads the name of a chain.
 *
 * @throws {@link HttpError} naming the field and the chains that are enabled.
 */
export const readChain = (
  { enabled }: Pick<TestWorld, 'enabled'>,
  field: string,
  text: string,
): EnabledChain => {
  const name = enabled.find((known) => known === text)
  if (name) return { name, chainId: evmChains[name].chainId }
  const list = enabled.join(', ') || 'none'
  throw badInput(`${field}: ${text} is not enabled on this deployment (enabled: ${list})`)
}

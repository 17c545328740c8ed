import { type Address, isAddress } from 'viem'
import { invalid } from '../../../engine/invalidInput.js'
import { explainChainAddress, parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { readTokenOwner } from '../../../engine/wallet/readTokenNames.js'
import { userLocator } from '../../../engine/wallet/userLocator.js'
import { type EvmChainName, evmChains } from '../../../schema/chains.js'
import type { WalletToken } from '../../../schema/walletToken.js'
import type { TestChainName } from '../../network.js'
import type { Answer } from '../http.js'
import { readPage } from '../http.js'
import { collectionAddress } from '../nameAddress.js'
import type { StockedCollection } from '../testCollection.js'
import type { TestWorld, TokenLooks } from '../testWorld.js'
import { readChain } from './readTransactions.js'

const field = 'identifier'
/** Reads whose tokens are asked for. A user has all their wallets; one who has none yet holds nothing. */
const readOwner = (
  world: TestWorld,
  identifier: string,
): { chain: TestChainName; holders: readonly string[] } => {
  const parts = readTokenOwner(identifier)
  const chain = readChain(world, field, parts.chain)
  if (parts.kind === 'address') {
    const holder = parseChainAddress(chain, parts.address)
    if (!holder) throw invalid(field, explainChainAddress(parts.address, parts.chain))
    return { chain, holders: [holder] }
  }
  const user = userLocator(parts.user.kind, parts.user.value)
  const wallets = [...world.wallets.values()].filter(({ userLocator }) => userLocator === user)
  // A user may have wallets on chains of other families too.
  return { chain, holders: wallets.flatMap(({ address }) => parseChainAddress(chain, address) ?? []) }
}

const describe = ({ id, name, description, imageUrl }: StockedCollection) => ({
  id,
  name,
  ...(description && { description }),
  ...(imageUrl && { image: imageUrl }),
})

const viewMetadata = (looks: TokenLooks | undefined, collection: StockedCollection | undefined) => ({
  attributes: [],
  ...(looks && { name: looks.name }),
  ...(looks?.description && { description: looks.description }),
  ...(looks?.imageUrl && { image: looks.imageUrl }),
  collection: collection ? describe(collection) : {},
})

const listEvmTokens = (
  { chains, collections, looks }: TestWorld,
  chain: EvmChainName,
  holders: readonly Address[],
): WalletToken[] => {
  const known = new Map(
    [...collections.values()].map((collection) => [collectionAddress(collection.id), collection]),
  )
  return chains.tokens.list(evmChains[chain].chainId, holders).map(({ contractAddress, tokenId }) => {
    const locator = `${chain}:${contractAddress}:${tokenId}`
    const metadata = viewMetadata(looks.get(locator), known.get(contractAddress))
    return { chain, contractAddress, tokenId: String(tokenId), locator, tokenStandard: 'ERC-721', metadata }
  })
}

const listSolanaTokens = (
  { solana, collections, looks }: TestWorld,
  holders: readonly string[],
): WalletToken[] =>
  solana.mints.list(holders).map(({ mint, collectionId }) => {
    const locator = `solana:${mint}`
    const metadata = viewMetadata(looks.get(locator), collections.get(collectionId))
    return { chain: 'solana', mintHash: mint, locator, metadata }
  })

/**
 * What an address, or a user in all their wallets, holds on a chain now: in the order in which it came, and on
 * Solana in the order of the mints.
 */
export const findTestTokens = (world: TestWorld, identifier: string): WalletToken[] => {
  const { chain, holders } = readOwner(world, identifier)
  world.chains.mine()
  world.solana.mine()
  if (chain === 'solana') return listSolanaTokens(world, holders)
  const addresses = holders.filter((holder) => isAddress(holder, { strict: false }))
  return listEvmTokens(world, chain, addresses)
}

/** Lists what an address, or a user, holds on a chain, a page at a time. */
export const listTestTokens = (world: TestWorld, identifier: string, query: URLSearchParams): Answer => {
  const takePage = readPage(query)
  return { status: 200, body: takePage(findTestTokens(world, identifier)) }
}

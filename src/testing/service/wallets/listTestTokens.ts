import type { Address } from 'viem'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { parseTokenOwner } from '../../../schema/tokenLocator.js'
import type { WalletToken } from '../../../schema/walletToken.js'
import type { Answer } from '../http.js'
import { badInput } from '../http.js'
import { collectionAddress } from '../nameAddress.js'
import type { StockedCollection } from '../testCollection.js'
import type { TestWorld } from '../testWorld.js'
import { type EnabledChain, readChain, readPage } from './readTransactions.js'
import { toUserLocator } from './wallets.js'

const field = 'identifier'
const expected =
  'expected <chain>:<address>, or a user and a chain such as email:<email>:<chain> or userId:<userId>:<chain>'

/** Reads whose tokens are asked for. A user has all their wallets; one who has none yet holds nothing. */
const readOwner = (
  world: TestWorld,
  identifier: string,
): { chain: EnabledChain; holders: readonly Address[] } => {
  const parts = parseTokenOwner(identifier)
  if (!parts) throw badInput(`${field}: ${expected}`)
  const chain = readChain(world, field, parts.chain)
  if (parts.kind === 'address') {
    const holder = parseAddress(parts.address)
    if (!holder) throw badInput(`${field}: ${parts.address} is not an address on ${parts.chain}`)
    return { chain, holders: [holder] }
  }
  const user = toUserLocator(parts.user.kind, parts.user.value)
  const wallets = [...world.wallets.values()].filter(({ userLocator }) => userLocator === user)
  return { chain, holders: wallets.map(({ address }) => address) }
}

const describe = ({ id, name, description, imageUrl }: StockedCollection) => ({
  id,
  name,
  ...(description && { description }),
  ...(imageUrl && { image: imageUrl }),
})

/** What an address, or a user in all their wallets, holds on a chain now, in the order in which it came. */
export const findTestTokens = (world: TestWorld, identifier: string): WalletToken[] => {
  const { chain, holders } = readOwner(world, identifier)
  world.chains.mine()
  const collections = new Map(
    [...world.collections.values()].map((collection) => [collectionAddress(collection.id), collection]),
  )
  const held = world.chains.tokens.list(chain.chainId, holders)
  return held.map(({ contractAddress, tokenId }) => {
    const locator = `${chain.name}:${contractAddress}:${tokenId}`
    const looks = world.looks.get(locator)
    const collection = collections.get(contractAddress)
    return {
      ...{ chain: chain.name, contractAddress, tokenId: String(tokenId), locator, tokenStandard: 'ERC-721' },
      metadata: {
        attributes: [],
        ...(looks && { name: looks.name }),
        ...(looks?.description && { description: looks.description }),
        ...(looks?.imageUrl && { image: looks.imageUrl }),
        collection: collection ? describe(collection) : {},
      },
    }
  })
}

/** Lists what an address, or a user, holds on a chain, a page at a time. */
export const listTestTokens = (world: TestWorld, identifier: string, query: URLSearchParams): Answer => {
  const takePage = readPage(query)
  return { status: 200, body: takePage(findTestTokens(world, identifier)) }
}

import { parseChainAddress } from '../../../engine/wallet/parseChainAddress.js'
import { parseUserLocator } from '../../../schema/walletLocator.js'
import { type MintedSolanaToken, type MintedToken, mintTokens } from '../mintTokens.js'
import type { StockedCollection } from '../testCollection.js'
import type { TestWorld } from '../testWorld.js'
import { openCustodialWallet } from './wallets.js'

/** The token to give. By default of the first collection on an EVM chain, with that collection's metadata. */
export type GivenToken = {
  collectionId?: string | undefined
  name?: string | undefined
  description?: string | undefined
  imageUrl?: string | undefined
}

/** The token to give on Solana. By default of the first collection there. */
export type GivenSolanaToken = GivenToken & { chain: 'solana' }

/** A user has their tokens in the wallet that the service keeps for them, as those who buy by e-mail do. */
const readOwner = (world: TestWorld, chain: string, recipient: string): string => {
  const address = parseChainAddress(chain, recipient)
  if (address !== undefined) return address
  const user = parseUserLocator(recipient)
  if (user) return openCustodialWallet(world, chain, user).address
  throw new Error(`${recipient} is neither an address nor a user such as email:ada@example.com on ${chain}`)
}

const findCollection = (
  { collections }: TestWorld,
  isOnSolana: boolean,
  collectionId: string | undefined,
) => {
  const isAsked = ({ chain }: StockedCollection): boolean => (chain === 'solana') === isOnSolana
  const collection =
    collectionId === undefined ? [...collections.values()].find(isAsked) : collections.get(collectionId)
  if (!collection) throw new Error(`The test service has no collection ${collectionId ?? ''}`)
  if (isAsked(collection)) return collection
  const hint = isOnSolana ? 'leave out' : 'give it with'
  throw new Error(`The collection ${collection.id} is on ${collection.chain}: ${hint} {chain: 'solana'}`)
}

const mintOne = (world: TestWorld, recipient: string, given: GivenToken | GivenSolanaToken) => {
  const { collectionId, name, description, imageUrl } = given
  const collection = findCollection(world, 'chain' in given, collectionId)
  const looks = {
    name: name ?? collection.name,
    description: description ?? collection.description,
    imageUrl: imageUrl ?? collection.imageUrl,
  }
  const owner = readOwner(world, collection.chain, recipient)
  const [token] = mintTokens(world, collection, { owner, quantity: 1, looks: () => looks })
  if (!token) throw new Error('a token was not minted')
  return token
}

/** Returns the function that mints a token to an address, or to a user's wallet, at once. */
export const createGiveToken = (world: TestWorld) => {
  function giveToken(recipient: string, token: GivenSolanaToken): MintedSolanaToken
  function giveToken(recipient: string, token?: GivenToken): MintedToken
  function giveToken(recipient: string, token: GivenToken | GivenSolanaToken = {}) {
    return mintOne(world, recipient, token)
  }
  return giveToken
}

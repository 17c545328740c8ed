import type { Address } from 'viem'
import { parseAddress } from '../../../engine/evm/parseAddress.js'
import { type MintedToken, mintTokens } from '../mintTokens.js'
import type { TestWorld } from '../testWorld.js'
import { openTestUserWallet, readUserLocator } from './wallets.js'

/** The token to give. By default of the first collection, with that collection's metadata. */
export type GivenToken = {
  collectionId?: string | undefined
  name?: string | undefined
  description?: string | undefined
  imageUrl?: string | undefined
}

/** A user has their tokens in the wallet that the service keeps for them, as those who buy by e-mail do. */
const readOwner = (world: TestWorld, recipient: string): Address => {
  const address = parseAddress(recipient)
  if (address) return address
  const userLocator = readUserLocator(recipient)
  if (userLocator !== undefined)
    return openTestUserWallet(world, { type: 'evm-mpc-wallet', userLocator }).address
  throw new Error(`${recipient} is neither an address nor a user such as email:ada@example.com`)
}

/** Mints a token to an address, or to a user's wallet, at once. */
export const giveToken = (
  world: TestWorld,
  recipient: string,
  { collectionId, name, description, imageUrl }: GivenToken = {},
): MintedToken => {
  const [first] = world.collections.values()
  const collection = collectionId === undefined ? first : world.collections.get(collectionId)
  if (!collection) throw new Error(`The test service has no collection ${collectionId ?? ''}`)
  const looks = {
    name: name ?? collection.name,
    description: description ?? collection.description,
    imageUrl: imageUrl ?? collection.imageUrl,
  }
  const [token] = mintTokens(world, collection, { owner: readOwner(world, recipient), quantity: 1, looks })
  if (!token) throw new Error('a token was not minted')
  return token
}

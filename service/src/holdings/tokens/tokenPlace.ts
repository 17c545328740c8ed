import type { KnownContract } from './listContracts.js'

/** A wallet whose tokens are read, of any contract. */
export type WatchedWallet = {
  address: string
  /**
   * The name of its cursor. A wallet of the service is read from the block of its creation, and an address that a caller
   * requested as far back as the node answers. An address that is both has two cursors.
   */
  cursor: `wallet:${string}` | `address:${string}`
  /** When the service first knew it. */
  createdAt: Date
}

/** Returns the cursor of an address that a caller requested. */
export const addressCursor = (address: string): `address:${string}` => `address:${address}`

/** A contract or a wallet whose transfers are read. */
export type TokenPlace = KnownContract | WatchedWallet

/** Whether it is a wallet. */
export const isWallet = (place: TokenPlace): place is WatchedWallet => 'cursor' in place

/** Returns the name of the cursor of a contract or wallet. */
export const cursorName = (place: TokenPlace): string => (isWallet(place) ? place.cursor : place.address)

import type { KnownContract } from './listContracts.js'

/** A wallet whose tokens are read, whatever contracts they are of. */
export type WatchedWallet = {
  address: string
  /**
   * Its name among the cursors. A wallet of the service is read from the block of its creation, and an address that a
   * caller asked for as far back as the node tells: an address that is both has two cursors.
   */
  cursor: `wallet:${string}` | `address:${string}`
  /** When the service first knew it. */
  createdAt: Date
}

/** The cursor of an address that a caller asked for. */
export const addressCursor = (address: string): `address:${string}` => `address:${address}`

/** What tokens are looked for by: a contract, all of whose transfers are read, or a wallet. */
export type TokenPlace = KnownContract | WatchedWallet

/** Whether a place is a wallet. */
export const isWallet = (place: TokenPlace): place is WatchedWallet => 'cursor' in place

/** The name of a place among the cursors. */
export const cursorName = (place: TokenPlace): string => (isWallet(place) ? place.cursor : place.address)

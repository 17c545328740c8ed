import { type WalletType, walletTypes } from '../schema/members.js'
import { readWallet } from '../schema/walletReaders.js'
import type { AddressBook } from './addressBook.js'
import { askService, type WalletService } from './callWallet.js'
import { readJson } from './passOn.js'
import { Refusal } from './Refusal.js'

/** Whose wallets a browser may name: the signed-in user's, of the types that the shop offers. */
export type Owner = { user: string; types: readonly WalletType[]; addresses: AddressBook }

const isWalletType = (text: string): text is WalletType => walletTypes.some((type) => type === text)

const mine = /^me:(.+)$/

/**
 * Reads which of the user's own wallets a browser means.
 *
 * @param locator - `me:<walletType>`; no other is anybody's to say.
 * @throws {@link Refusal} 400 or 404.
 */
export const readOwnWallet = (
  locator: string,
  { user, types }: Owner,
): { type: WalletType; path: string } => {
  const type = mine.exec(locator)?.[1]
  if (type === undefined || !isWalletType(type))
    throw new Refusal(400, 'walletLocator: expected me: and a wallet type, such as me:evm-smart-wallet')
  if (!types.includes(type)) throw new Refusal(404, 'The shop has no wallets of this type')
  return { type, path: encodeURIComponent(`${user}:${type}`) }
}

const getOwnAddress = async (
  service: WalletService,
  addresses: AddressBook,
  locator: string,
  buyer: AbortSignal,
): Promise<string | undefined> => {
  // A page asks for many lists: each would ask for the wallets as well.
  const known = addresses.get(locator)
  if (known !== undefined) return known
  const path = `/2022-06-09/wallets/${encodeURIComponent(locator)}`
  const answer = await askService(service, { method: 'GET', path }, buyer)
  const read = answer.status === 200 ? readWallet(readJson(answer.text)) : undefined
  if (!read || read.fault !== undefined) return undefined
  addresses.add(locator, read.data.address)
  return read.data.address
}

/**
 * Reads whose tokens a browser wants to see: all of the user's own on a chain, or those of one of their wallets.
 *
 * @param identifier - `me:<chain>`, or `<chain>:<address>` of a wallet of the user's.
 * @returns The identifier as the service takes it.
 * @throws {@link Refusal} 400, and 404 for an address that is not the user's.
 */
export const readOwnIdentifier = async (
  service: WalletService,
  identifier: string,
  { user, types, addresses }: Owner,
  buyer: AbortSignal,
): Promise<string> => {
  const chain = mine.exec(identifier)?.[1]
  if (chain !== undefined && /^[a-z][a-z0-9-]*$/.test(chain)) return `${user}:${chain}`
  const [, named, address] = /^([a-z][a-z0-9-]*):(\w+)$/.exec(identifier) ?? []
  if (chain !== undefined || named === undefined || address === undefined)
    throw new Refusal(400, 'identifier: expected me:<chain>, or <chain>:<address> of a wallet of the user')
  const locators = types.map((type) => `${user}:${type}`)
  const own = await Promise.all(locators.map((locator) => getOwnAddress(service, addresses, locator, buyer)))
  // Addresses of EVM chains are the same in any case; those of others are not.
  const isSame = (known: string | undefined): boolean =>
    known === address || (/^0x/.test(address) && known?.toLowerCase() === address.toLowerCase())
  if (!own.some(isSame)) throw new Refusal(404, 'Wallet not found')
  return identifier
}

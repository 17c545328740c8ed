import { callOf } from '../api/fillPath.js'
import { readJson } from '../api/request.js'
import { apiError } from '../errors/apiError.js'
import { type WalletType, walletTypes } from '../schema/members.js'
import { getWallet } from '../schema/operations.js'
import { readWallet } from '../schema/walletReaders.js'
import { askService, type WalletService } from './callWallet.js'
import { forwardResponse } from './forwardResponse.js'
import { HttpError } from './HttpError.js'
import type { OwnWallet, WalletBook } from './walletBook.js'

/** The wallets a browser may name: the signed-in user's, of the types that the shop offers. */
export type Owner = { user: string; types: readonly WalletType[]; wallets: WalletBook }

/** The owner who asks, and what ends when their browser goes away. */
export type Asker = Owner & { buyer: AbortSignal }

/** A wallet by its type for the browser and its locator for the service. */
export type NamedWallet = { type: WalletType; locator: string }

const isWalletType = (text: string): text is WalletType => walletTypes.some((type) => type === text)

const mine = /^me:(.+)$/

/**
 * Reads which of the user's own wallets a browser names.
 *
 * @param locator - `me:<walletType>`; browsers may send no other.
 * @throws {@link HttpError} 400 or 404.
 */
export const readOwnWallet = (locator: string, { user, types }: Owner): NamedWallet => {
  const type = mine.exec(locator)?.[1]
  if (type === undefined || !isWalletType(type))
    throw new HttpError(400, 'walletLocator: expected me: and a wallet type, such as me:evm-smart-wallet')
  if (!types.includes(type)) throw new HttpError(404, 'The shop has no wallets of this type')
  return { type, locator: `${user}:${type}` }
}

/**
 * Finds a wallet of the user; undefined if there is none.
 *
 * @throws {@link HttpError} and {@link KassaError} while the service cannot say.
 */
export const findOwnWallet = async (
  service: WalletService,
  locator: string,
  { wallets, buyer }: Pick<Asker, 'wallets' | 'buyer'>,
): Promise<OwnWallet | undefined> => {
  // Cached, because a page requests many lists and each would look the wallet up.
  const known = wallets.get(locator)
  if (known !== undefined) return known
  const { method, path } = callOf(getWallet, { walletLocator: locator })
  const url = `${service.baseUrl}${path}`
  const answer = await askService(service, { method, path }, buyer)
  // A service that does not know this wallet type may call the locator invalid.
  if (answer.status === 404 || answer.status === 400) return undefined
  forwardResponse(answer, url)
  const read = readWallet(readJson(answer.text))
  if (read.fault !== undefined) throw apiError('api.invalid-answer', { url, issues: read.fault })
  const wallet = { address: read.data.address, signerType: read.data.config?.adminSigner?.type }
  wallets.add(locator, wallet)
  return wallet
}

const isEvmAddress = (address: string): boolean => /^0x/i.test(address)

/** Compares addresses: those of EVM chains without case, others exactly. */
const isSame = (known: string, address: string): boolean =>
  known === address || (isEvmAddress(address) && known.toLowerCase() === address.toLowerCase())

/**
 * Whether an address is that of one of the user's wallets. For a known address the service is not asked, so
 * that a page of many lists does not use up the shop's rate limit with lookups of wallets that do not exist.
 *
 * @throws {@link HttpError} while the service cannot say.
 */
export const isOwnAddress = async (
  service: WalletService,
  address: string,
  asker: Asker,
): Promise<boolean> => {
  const types = asker.types.filter((type) => type.startsWith('evm-') === isEvmAddress(address))
  const locators = types.map((type) => `${asker.user}:${type}`)
  const isOwn = (wallet: OwnWallet | undefined) => wallet !== undefined && isSame(wallet.address, address)
  if (locators.some((locator) => isOwn(asker.wallets.get(locator)))) return true
  const found = await Promise.all(locators.map((locator) => findOwnWallet(service, locator, asker)))
  return found.some(isOwn)
}

/**
 * Reads whose tokens a browser requests: all of the user's on a chain, or those of one of their wallets.
 *
 * @param identifier - `me:<chain>`, or `<chain>:<address>` of a wallet of the user.
 * @returns The identifier in the service's form.
 * @throws {@link HttpError} 400, and 404 for an address that is not the user's.
 */
export const readOwnIdentifier = async (
  service: WalletService,
  identifier: string,
  asker: Asker,
): Promise<string> => {
  const chain = mine.exec(identifier)?.[1]
  if (chain !== undefined && /^[a-z][a-z0-9-]*$/.test(chain)) return `${asker.user}:${chain}`
  const [, named, address] = /^([a-z][a-z0-9-]*):(\w+)$/.exec(identifier) ?? []
  if (chain !== undefined || named === undefined || address === undefined)
    throw new HttpError(400, 'identifier: expected me:<chain>, or <chain>:<address> of a wallet of the user')
  if (await isOwnAddress(service, address, asker)) return identifier
  throw new HttpError(404, 'Wallet not found')
}

import { keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { readWalletAddress } from '../../../engine/wallet/parseChainAddress.js'
import { type ActingWalletType, type StoredSigner, toCustodian } from '../../../engine/wallet/signer.js'
import { type ChainFamily, chainFamilyOf } from '../../../schema/chains.js'
import type { Wallet } from '../../../schema/wallet.js'
import {
  parseUserLocator,
  parseWalletLocator,
  type UserKind,
  WalletLocator,
} from '../../../schema/walletLocator.js'
import { nameSolanaAddress } from '../../solana/network.js'
import { badInput, HttpError } from '../http.js'
import { nameAddress } from '../nameAddress.js'
import type { EvmUserWallet, SolanaUserWallet, TestUserWallet, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'

const families: Readonly<Record<ActingWalletType, ChainFamily>> = {
  'evm-smart-wallet': 'evm',
  'evm-mpc-wallet': 'evm',
  'solana-mpc-wallet': 'solana',
}

/** Whether wallets of a type exist on a chain. */
export const isOn = (type: ActingWalletType, chain: string): boolean =>
  families[type] === chainFamilyOf(chain)

/** Returns the type of the wallets that the service keeps for users on a chain. */
export const custodialTypeOn = (chain: string): 'evm-mpc-wallet' | 'solana-mpc-wallet' =>
  chain === 'solana' ? 'solana-mpc-wallet' : 'evm-mpc-wallet'

/** A wallet as the service shows it. */
export const viewTestUserWallet = ({
  type,
  address,
  adminSigner,
  userLocator,
  createdAtMs,
}: TestUserWallet): Wallet => ({
  type,
  address,
  config: { adminSigner },
  ...(userLocator !== undefined && { linkedUser: userLocator }),
  createdAt: new Date(createdAtMs).toISOString(),
})

const handle = (value: string): string => `twitter:${value.replace(/^@/, '').toLowerCase()}`

const canonical: Readonly<Record<UserKind, (value: string) => string>> = {
  email: (value) => `email:${value.trim().toLowerCase()}`,
  userId: (value) => `userId:${value}`,
  phoneNumber: (value) => `phoneNumber:${value}`,
  twitter: handle,
  x: handle,
}

/** Whom a wallet is kept for: the same however the user's address or handle is written. */
export const toUserLocator = (kind: UserKind, value: string): string => canonical[kind](value)

/** Reads a wallet's owner; undefined if the text names none. */
export const readUserLocator = (text: string): string | undefined => {
  const user = parseUserLocator(text)
  return user && toUserLocator(user.kind, user.value)
}

/** The terms of a wallet. Without a signer the service is its custodian; without a user it has no owner. */
type WalletTerms = {
  type: TestUserWallet['type']
  adminSigner?: StoredSigner | undefined
  userLocator?: string | undefined
}

/** The wallet that a user has of a type, if there is one. */
export const findUserWallet = (
  { wallets }: Pick<TestWorld, 'wallets'>,
  { type, userLocator }: WalletTerms,
): TestUserWallet | undefined =>
  userLocator === undefined
    ? undefined
    : [...wallets.values()].find((one) => one.type === type && one.userLocator === userLocator)

type NewWallet = { id: string; userLocator: string | undefined; createdAtMs: number }

const makeSolanaWallet = (world: TestWorld, name: string, wallet: NewWallet): SolanaUserWallet => {
  const type = 'solana-mpc-wallet'
  const address = nameSolanaAddress(name)
  const { bank } = world.solana
  bank.openEmpty(address)
  return { ...wallet, type, address, adminSigner: toCustodian(address, type) }
}

const makeEvmWallet = (
  world: TestWorld,
  { type, name, signer }: { type: EvmUserWallet['type']; name: string; signer: StoredSigner | undefined },
  wallet: NewWallet,
): EvmUserWallet => {
  const custodian = signer ? undefined : privateKeyToAccount(keccak256(stringToHex(name)))
  const address =
    custodian && type === 'evm-mpc-wallet'
      ? custodian.address
      : nameAddress(`${name} ${signer?.locator ?? 'evm-kassa-custodial'}`)
  world.chains.bank.openEmpty(address)
  const adminSigner = signer ?? toCustodian(custodian?.address ?? '', type)
  return { ...wallet, type, address, adminSigner, custodian }
}

/**
 * Makes a wallet, which begins with nothing in it. Its address follows from its user, or else from how many there
 * were before it: a test meets the same ones each time.
 *
 * @throws {@link HttpError} if no chain of its family is enabled.
 */
const makeWallet = (world: TestWorld, { type, adminSigner, userLocator }: WalletTerms): TestUserWallet => {
  if (!world.enabled.some((chain) => isOn(type, chain)))
    throw badInput(`type: no enabled chain has wallets of the type ${type}`)
  const name = `${type} ${userLocator ?? world.wallets.size}`
  const id = toUuid(keccak256(stringToHex(name)).slice(2, 34))
  const made = { id, userLocator, createdAtMs: world.now() }
  const wallet =
    type === 'solana-mpc-wallet'
      ? makeSolanaWallet(world, name, made)
      : makeEvmWallet(world, { type, name, signer: adminSigner }, made)
  world.wallets.set(wallet.id, wallet)
  return wallet
}

/** Finds the wallet that a user has of a type, or makes it. */
export const openTestUserWallet = (world: TestWorld, terms: WalletTerms): TestUserWallet =>
  findUserWallet(world, terms) ?? makeWallet(world, terms)

const find = ({ wallets }: Pick<TestWorld, 'wallets'>, locator: string): TestUserWallet | undefined => {
  const parts = parseWalletLocator(locator)
  if (!parts) {
    const fault = z.safeParse(WalletLocator, locator).error?.issues[0]?.message
    throw badInput(`walletLocator: ${fault ?? 'expected a wallet locator'}`)
  }
  const all = [...wallets.values()]
  if (parts.kind === 'address') {
    const address = readWalletAddress('walletLocator', parts.address)
    return all.find((wallet) => wallet.address === address)
  }
  const user = toUserLocator(parts.user.kind, parts.user.value)
  return all.find((wallet) => wallet.userLocator === user && wallet.type === parts.walletType)
}

/**
 * Finds a wallet by any form of its locator.
 *
 * @throws {@link HttpError} for what is no wallet locator, and where there is no such wallet.
 */
export const requireTestWallet = (world: Pick<TestWorld, 'wallets'>, locator: string): TestUserWallet => {
  const wallet = find(world, locator)
  if (wallet) return wallet
  throw new HttpError(404, `Wallet ${locator} not found`)
}

import { keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import * as z from 'zod/mini'
import { readAddress } from '../../../engine/evm/parseAddress.js'
import type { StoredSigner } from '../../../engine/wallet/signer.js'
import type { Wallet } from '../../../schema/wallet.js'
import {
  parseUserLocator,
  parseWalletLocator,
  type UserKind,
  WalletLocator,
} from '../../../schema/walletLocator.js'
import { badInput, HttpError } from '../http.js'
import { nameAddress } from '../nameAddress.js'
import type { TestUserWallet, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'

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

/**
 * Makes a wallet, which begins with nothing in it. Its address follows from its user, or else from how many there
 * were before it: a test meets the same ones each time.
 */
const makeWallet = (world: TestWorld, { type, adminSigner, userLocator }: WalletTerms): TestUserWallet => {
  const name = `${type} ${userLocator ?? world.wallets.size}`
  const digest = keccak256(stringToHex(name))
  const custodian = adminSigner ? undefined : privateKeyToAccount(digest)
  const custody = 'evm-kassa-custodial' as const
  const wallet: TestUserWallet = {
    id: toUuid(digest.slice(2, 34)),
    type,
    address:
      custodian && type === 'evm-mpc-wallet'
        ? custodian.address
        : nameAddress(`${name} ${adminSigner?.locator ?? custody}`),
    adminSigner: adminSigner ?? {
      type: custody,
      ...(custodian && { address: custodian.address }),
      locator: `${custody}:${custodian?.address}`,
    },
    userLocator,
    custodian,
    createdAtMs: world.now(),
  }
  world.wallets.set(wallet.id, wallet)
  world.chains.bank.openEmpty(wallet.address)
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
    // An address that is not of an EVM chain is one of Solana, where the test service has no wallets.
    if (!parts.address.startsWith('0x')) return undefined
    const address = readAddress('walletLocator', parts.address)
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

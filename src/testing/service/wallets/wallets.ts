import { keccak256, stringToHex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { invalid } from '../../../engine/invalidInput.js'
import { readWalletLocator, walletNotFound } from '../../../engine/wallet/readWalletLocator.js'
import { type ActingWalletType, type StoredSigner, toCustodian } from '../../../engine/wallet/signer.js'
import { userLocator } from '../../../engine/wallet/userLocator.js'
import { viewWallet } from '../../../engine/wallet/viewWallet.js'
import { familyOfWallet } from '../../../engine/wallet/walletFamily.js'
import { chainFamilyOf } from '../../../schema/chains.js'
import type { Wallet } from '../../../schema/wallet.js'
import type { UserLocatorParts } from '../../../schema/walletLocator.js'
import { nameSolanaAddress } from '../../solana/network.js'
import { nameAddress } from '../nameAddress.js'
import type { EvmUserWallet, SolanaUserWallet, TestUserWallet, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'

/** Whether wallets of a type exist on a chain. */
export const isOn = (type: ActingWalletType, chain: string): boolean =>
  familyOfWallet(type) === chainFamilyOf(chain)

/** A wallet as the service shows it. */
export const viewTestUserWallet = (wallet: TestUserWallet): Wallet =>
  viewWallet({
    ...wallet,
    userLocator: wallet.userLocator ?? null,
    createdAt: new Date(wallet.createdAtMs),
  })

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
    throw invalid('type', `no enabled chain has wallets of the type ${type}`)
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

/** Finds the wallet that the service keeps for a user on a chain, or makes it. */
export const openCustodialWallet = (
  world: TestWorld,
  chain: string,
  { kind, value }: UserLocatorParts,
): TestUserWallet =>
  openTestUserWallet(world, {
    type: chain === 'solana' ? 'solana-mpc-wallet' : 'evm-mpc-wallet',
    userLocator: userLocator(kind, value),
  })

/**
 * Finds a wallet by any form of its locator.
 *
 * @throws {@link InvalidInput} if the text is not a wallet locator; {@link Refusal} if there is no such wallet.
 */
export const requireTestWallet = (world: Pick<TestWorld, 'wallets'>, locator: string): TestUserWallet => {
  const named = readWalletLocator(locator)
  const wallet = [...world.wallets.values()].find((one) =>
    'address' in named
      ? one.address === named.address
      : one.userLocator === named.userLocator && one.type === named.type,
  )
  if (wallet) return wallet
  throw walletNotFound(locator)
}

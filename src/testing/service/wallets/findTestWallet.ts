import * as z from 'zod/mini'
import { readAddress } from '../../../engine/evm/parseAddress.js'
import { parseWalletLocator, WalletLocator } from '../../../schema/walletLocator.js'
import { badInput, HttpError } from '../httpError.js'
import type { TestWorld } from '../testWorld.js'
import type { TestUserWallet } from './testUserWallet.js'
import { toUserLocator } from './userLocator.js'

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

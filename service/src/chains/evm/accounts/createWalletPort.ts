import type { WalletPort } from '../../walletPort.js'
import { createAccounts } from './createAccounts.js'
import { createOperations } from './createOperations.js'
import { createTokenReads } from './createTokenReads.js'
import type { WalletParts } from './walletParts.js'

/**
 * Creates the wallet port of an EVM chain: user operations, accounts that the service signs for, and their
 * balances.
 */
export const createWalletPort = (parts: WalletParts): WalletPort => ({
  ...createOperations(parts),
  ...createAccounts(parts),
  ...createTokenReads(parts),
})

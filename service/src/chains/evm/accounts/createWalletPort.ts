import { zeroAddress } from 'viem'
import type { TokenOfHolder, WalletPort } from '../../../ports/wallet.js'
import { createAccounts } from './createAccounts.js'
import { createOperations } from './createOperations.js'
import { findTransfers, findTransfersOf } from './findTransfers.js'
import { readTokenStates, type TokenState } from './readTokenStates.js'
import type { WalletParts } from './walletParts.js'

/** The last second that has a four-digit year. A contract may return any number. */
const maxSeconds = 253_402_300_799n

const expiryOf = ({ kind, expiresAt }: TokenState): bigint | undefined => {
  if (kind !== 'ERC-5643') return undefined
  return expiresAt > maxSeconds ? maxSeconds : expiresAt
}

const isHeld = ({ kind, owner, balance }: TokenState, { holder }: TokenOfHolder): boolean =>
  kind === 'ERC-1155' ? balance > 0n : owner !== zeroAddress && owner.toLowerCase() === holder.toLowerCase()

/** Creates the reads of tokens of any contract: their transfers, holders and states. */
const createTokenReads = ({
  read,
}: WalletParts): Pick<WalletPort, 'findTransfers' | 'findTransfersOf' | 'readTokens' | 'findOwner'> => ({
  findTransfers: (input) => read((client) => findTransfers(client, input)),
  findTransfersOf: (input) => read((client) => findTransfersOf(client, input)),
  readTokens: async (tokens) => {
    const states = await read((client) => readTokenStates(client, tokens))
    return tokens.map((token, at) => {
      const state = states[at]
      if (!state || !isHeld(state, token)) return undefined
      return { standard: state.kind, uri: state.uri, expiresAt: expiryOf(state) }
    })
  },
  findOwner: async (token) => {
    const [state] = await read((client) => readTokenStates(client, [{ ...token, holder: zeroAddress }]))
    if (state?.kind === 'ERC-1155') return 'semi-fungible'
    if (!state || state.owner === zeroAddress) return undefined
    return { owner: state.owner, expiresAt: expiryOf(state) }
  },
})

/**
 * Creates the wallet port of an EVM chain: user operations, accounts that the service signs for, and their
 * balances.
 */
export const createWalletPort = (parts: WalletParts): WalletPort => ({
  ...createOperations(parts),
  ...createAccounts(parts),
  ...createTokenReads(parts),
})

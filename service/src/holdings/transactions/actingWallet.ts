import { ServiceError } from '#base/errors.js'
import type { CallPort } from '#base/ports/calls.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { MessagePort } from '#base/ports/messages.js'
import type { OperationPort } from '#base/ports/operations.js'
import type { ProgramWalletPort } from '#base/ports/programWallets.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'

/** An account whose key the service keeps, and the port of a chain on which it makes calls. */
export type CustodialAccount = { wallet: WalletRow; port: CallPort }

/** A smart wallet, and the port of a chain on which it acts. */
export type SmartWalletOnChain = { wallet: WalletRow; port: OperationPort }

/** Returns the port of the calls of a chain. The wallet's family has it, and the chain is of that family. */
export const requireCalls = ({ chain, wallets }: ChainPort): CallPort => {
  if (wallets.calls) return wallets.calls
  throw new Error(`wallets do not support calls on ${chain}`)
}

/** Returns the port of the whole transactions that accounts sign on a chain, in the same way. */
export const requireMessages = ({ chain, wallets }: ChainPort): MessagePort => {
  if (wallets.messages) return wallets.messages
  throw new Error(`wallets do not sign whole transactions on ${chain}`)
}

/** Returns the port of the smart wallets of a program, on a chain that had it when the wallet was created. */
export const requirePrograms = ({ chain, wallets }: ChainPort): ProgramWalletPort => {
  if (wallets.programs) return wallets.programs
  const message = `This deployment no longer has an adapter for the smart wallet program on ${chain}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/** Returns the port of the user operations of a chain, in the same way. */
export const requireOperations = ({ chain, wallets }: ChainPort): OperationPort => {
  if (wallets.operations) return wallets.operations
  throw new Error(`${chain} has no smart wallets`)
}

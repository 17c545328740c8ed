import { matchOperation } from '../schema/matchOperation.js'
import {
  approveTransaction,
  createTransaction,
  createWallet,
  getBalances,
  getCredential,
  getTransaction,
  getWallet,
  listTransactions,
  listWalletTokens,
} from '../schema/operations.js'

const rows = {
  approveTransaction,
  createTransaction,
  createWallet,
  getBalances,
  getCredential,
  getTransaction,
  getWallet,
  listTransactions,
  listWalletTokens,
}

/** A request's operation on a wallet handler, named like the functions of `kassa/api`. */
export type WalletOperation =
  | { name: 'createWallet' }
  | { name: 'getWallet' | 'listTransactions' | 'createTransaction' | 'getBalances'; wallet: string }
  | { name: 'getTransaction' | 'approveTransaction'; wallet: string; transactionId: string }
  | { name: 'listWalletTokens'; identifier: string }
  | { name: 'getCredential'; nftLocator: string }

/** Decodes the ids of a path; undefined if one is malformed. */
const decode = (params: Readonly<Record<string, string>>): Record<string, string> | undefined => {
  try {
    return Object.fromEntries(Object.entries(params).map(([name, id]) => [name, decodeURIComponent(id)]))
  } catch {
    return undefined
  }
}

/**
 * Finds a request's operation, wherever the handler is mounted; undefined for a request that is not allowed.
 */
export const findWalletOperation = (
  request: Pick<Request, 'method' | 'url'>,
): WalletOperation | undefined => {
  const found = matchOperation(rows, request)
  const ids = found && decode(found.params)
  if (!found || !ids) return undefined
  const { walletLocator: wallet = '', transactionId = '', identifier = '', nftLocator = '' } = ids
  switch (found.name) {
    case 'createWallet':
      return { name: found.name }
    case 'listWalletTokens':
      return { name: found.name, identifier }
    case 'getCredential':
      return { name: found.name, nftLocator }
    case 'getTransaction':
    case 'approveTransaction':
      // The id becomes part of a path, so it may have only letters, digits, underscores and dashes.
      return /^[\w-]{1,64}$/.test(transactionId) ? { name: found.name, wallet, transactionId } : undefined
    default:
      return { name: found.name, wallet }
  }
}

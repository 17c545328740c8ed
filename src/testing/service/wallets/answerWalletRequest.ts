import { listOperationsAt } from '../../../schema/matchOperation.js'
import {
  approveTransaction,
  createTransaction,
  createWallet,
  fundWallet,
  getBalances,
  getCredential,
  getTransaction,
  getWallet,
  listTransactions,
  listWalletTokens,
} from '../../../schema/operations.js'
import { findTestOperation } from '../findTestOperation.js'
import { readJson } from '../httpError.js'
import { identify, type ServiceCall, type ServiceMemory } from '../identify.js'
import { once } from '../once.js'
import type { Answer } from '../orderVerbs.js'
import type { TestWorld } from '../testWorld.js'
import { approveWalletTransaction } from './approveWalletTransaction.js'
import { createWalletTransaction } from './createWalletTransaction.js'
import { fundTestWallet } from './fundTestWallet.js'
import { getTestBalances } from './getTestBalances.js'
import { getTestCredential } from './getTestCredential.js'
import { listTestTokens } from './listTestTokens.js'
import { getWalletTransaction, listWalletTransactions } from './readTransactions.js'
import { createTestUserWallet, getTestUserWallet } from './walletVerbs.js'

const rows = {
  createWallet,
  getWallet,
  listWalletTokens,
  listTransactions,
  createTransaction,
  getTransaction,
  approveTransaction,
  getBalances,
  fundWallet,
  getCredential,
}

type Ids = { walletLocator: string; transactionId: string; identifier: string; nftLocator: string }

type Verb = (world: TestWorld, call: ServiceCall, ids: Ids) => Answer | Promise<Answer>

const verbs: Readonly<Record<keyof typeof rows, Verb>> = {
  createWallet: (world, { text }) => createTestUserWallet(world, readJson(text)),
  getWallet: (world, _, { walletLocator }) => getTestUserWallet(world, walletLocator),
  listWalletTokens: (world, { query }, { identifier }) => listTestTokens(world, identifier, query),
  listTransactions: (world, { query }, { walletLocator }) =>
    listWalletTransactions(world, walletLocator, query),
  createTransaction: (world, { text }, { walletLocator }) =>
    createWalletTransaction(world, walletLocator, readJson(text)),
  getTransaction: (world, _, { walletLocator, transactionId }) =>
    getWalletTransaction(world, walletLocator, transactionId),
  approveTransaction: (world, { text, headers }, { walletLocator, transactionId }) => {
    const userAgent = headers.get('user-agent')
    const body = readJson(text)
    return approveWalletTransaction(world, { walletLocator, transactionId, body, userAgent })
  },
  getBalances: (world, { query }, { walletLocator }) => getTestBalances(world, walletLocator, query),
  fundWallet: (world, { text }, { walletLocator }) => fundTestWallet(world, walletLocator, readJson(text)),
  getCredential: (world, _, { nftLocator }) => getTestCredential(world, nftLocator),
}

/** Whether a call is refused by `{error: <text>}`. */
export const hasTextErrors = ({ path }: ServiceCall): boolean =>
  listOperationsAt({ listWalletTokens }, path).length > 0

const decode = (text = ''): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Answers a call about wallets, what they hold and do; undefined for a path that is of something else. */
export const answerWalletRequest = (
  world: TestWorld,
  memory: ServiceMemory,
  call: ServiceCall,
): Answer | Promise<Answer> | undefined => {
  const found = findTestOperation(rows, call)
  if (!found) return undefined
  const { name, params } = found
  const ids = {
    walletLocator: decode(params.walletLocator),
    transactionId: decode(params.transactionId),
    identifier: decode(params.identifier),
    nftLocator: decode(params.nftLocator),
  }
  const caller = identify(memory, call, rows[name].scope)
  return once(memory, call, caller, () => verbs[name](world, call, ids))
}

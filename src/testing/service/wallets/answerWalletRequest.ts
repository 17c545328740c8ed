import { parseBody } from '../../../engine/http/parseBody.js'
import { parseInput } from '../../../engine/parseInput.js'
import { readFunding } from '../../../engine/wallet/balances.js'
import { readWalletBody } from '../../../engine/wallet/readWalletBody.js'
import { assertUnmade, readAdminSigner, readWalletType } from '../../../engine/wallet/signer.js'
import { readLinkedUser } from '../../../engine/wallet/userLocator.js'
import { assertIsOn } from '../../../engine/wallet/walletFamily.js'
import { chainFamilyOf } from '../../../schema/chains.js'
import { FundBody } from '../../../schema/fundInput.js'
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
import { identify, once, type Service } from '../caller.js'
import type { Answer, ServiceCall } from '../http.js'
import { findTestOperation } from '../http.js'
import { listAccounts } from '../listAccounts.js'
import type { TestWorld } from '../testWorld.js'
import { approveWalletTransaction } from './approveWalletTransaction.js'
import { createWalletTransaction } from './createWalletTransaction.js'
import { getTestBalances, readBalances } from './getTestBalances.js'
import { getTestCredential } from './getTestCredential.js'
import { listTestTokens } from './listTestTokens.js'
import { getWalletTransaction, listWalletTransactions, readChain } from './readTransactions.js'
import { findUserWallet, openTestUserWallet, requireTestWallet, viewTestUserWallet } from './wallets.js'

/** Creates a wallet, or answers the one that its user has of that type. */
const createTestUserWallet = (world: TestWorld, input: unknown): Answer => {
  const { type, config, linkedUser } = readWalletBody(input)
  const acting = readWalletType(type)
  const terms = {
    type: acting,
    adminSigner: readAdminSigner(acting, config?.adminSigner),
    userLocator: linkedUser === undefined ? undefined : readLinkedUser(linkedUser),
  }
  const known = findUserWallet(world, terms)
  if (!known) assertUnmade(config?.adminSigner)
  return { status: known ? 200 : 201, body: viewTestUserWallet(known ?? openTestUserWallet(world, terms)) }
}

/** Tells of a wallet. */
const getTestUserWallet = (world: TestWorld, locator: string): Answer => ({
  status: 200,
  body: viewTestUserWallet(requireTestWallet(world, locator)),
})

/** Gives a wallet test tokens, at once. */
const fundTestWallet = (world: TestWorld, locator: string, input: unknown): Answer => {
  const body = parseInput(FundBody, input, 'body')
  const chain = readChain(world, 'chain', body.chain)
  const { currency, units } = readFunding(body, chain, listAccounts(world, chain))
  const wallet = requireTestWallet(world, locator)
  assertIsOn(wallet, { chain, family: chainFamilyOf(chain) }, 'chain')
  const { address } = wallet
  currency.set(address, currency.get(address) + units)
  return { status: 201, body: readBalances(world, address, { chains: [chain], tokens: [body.token] }) }
}

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
  createWallet: (world, { text }) => createTestUserWallet(world, parseBody(text)),
  getWallet: (world, _, { walletLocator }) => getTestUserWallet(world, walletLocator),
  listWalletTokens: (world, { query }, { identifier }) => listTestTokens(world, identifier, query),
  listTransactions: (world, { query }, { walletLocator }) =>
    listWalletTransactions(world, walletLocator, query),
  createTransaction: (world, { text }, { walletLocator }) =>
    createWalletTransaction(world, walletLocator, parseBody(text)),
  getTransaction: (world, _, { walletLocator, transactionId }) =>
    getWalletTransaction(world, walletLocator, transactionId),
  approveTransaction: (world, { text, headers }, { walletLocator, transactionId }) => {
    const userAgent = headers.get('user-agent')
    const body = parseBody(text)
    return approveWalletTransaction(world, { walletLocator, transactionId, body, userAgent })
  },
  getBalances: (world, { query }, { walletLocator }) => getTestBalances(world, walletLocator, query),
  fundWallet: (world, { text }, { walletLocator }) => fundTestWallet(world, walletLocator, parseBody(text)),
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
  { world, memory }: Service,
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
  const caller = identify(memory, call, { scope: rows[name].scope })
  return once(memory, { call, caller }, () => verbs[name](world, call, ids))
}

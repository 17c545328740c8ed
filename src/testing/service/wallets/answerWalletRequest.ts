import { parseInput } from '../../../engine/parseInput.js'
import { readWalletBody } from '../../../engine/wallet/readWalletBody.js'
import { assertUnmade, readAdminSigner, readWalletType } from '../../../engine/wallet/signer.js'
import { toBaseUnits } from '../../../schema/baseUnits.js'
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
import { identify, once, type ServiceMemory } from '../caller.js'
import type { Answer, ServiceCall } from '../http.js'
import { badInput, findTestOperation, readJson } from '../http.js'
import { listAccounts } from '../listAccounts.js'
import type { TestWorld } from '../testWorld.js'
import { approveWalletTransaction } from './approveWalletTransaction.js'
import { createWalletTransaction } from './createWalletTransaction.js'
import { assertIsOn, getTestBalances, readBalances } from './getTestBalances.js'
import { getTestCredential } from './getTestCredential.js'
import { listTestTokens } from './listTestTokens.js'
import { getWalletTransaction, listWalletTransactions, readChain } from './readTransactions.js'
import {
  findUserWallet,
  openTestUserWallet,
  readUserLocator,
  requireTestWallet,
  viewTestUserWallet,
} from './wallets.js'

/** Creates a wallet, or answers the one that its user has of that type. */
const createTestUserWallet = (world: TestWorld, input: unknown): Answer => {
  const { type, config, linkedUser } = readWalletBody(input)
  const acting = readWalletType(type)
  const terms = {
    type: acting,
    adminSigner: readAdminSigner(acting, config?.adminSigner),
    userLocator: linkedUser === undefined ? undefined : readUserLocator(linkedUser),
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
  const { chain: asked, token, amount } = parseInput(FundBody, input, 'body')
  const chain = readChain(world, 'chain', asked)
  const known = listAccounts(world, chain).find(({ currency }) => currency === token)
  if (!known) throw badInput(`token: ${token} is not known on ${chain} on this deployment`)
  const { decimals } = known
  const units = toBaseUnits(String(amount), decimals)
  if (units === undefined) throw badInput(`amount: ${token} has ${decimals} decimals on ${chain}`)
  const wallet = requireTestWallet(world, locator)
  assertIsOn(wallet, chain, 'chain')
  const { address } = wallet
  known.set(address, known.get(address) + units)
  return { status: 201, body: readBalances(world, address, [chain], [token]) }
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

import { callOf } from '../api/fillPath.js'
import { readJson } from '../api/request.js'
import { apiError } from '../errors/apiError.js'
import * as operations from '../schema/operations.js'
import { readCredentialAnswer } from '../schema/walletReaders.js'
import { bindIdempotencyKey } from './bindIdempotencyKey.js'
import { callWallet, type WalletCall, type WalletService } from './callWallet.js'
import { type CheckCreation, checkCreation } from './checkCreation.js'
import { type CheckTransaction, checkTransaction } from './checkTransaction.js'
import type { WalletOperation } from './findWalletOperation.js'
import { HttpError } from './HttpError.js'
import {
  type Asker,
  findOwnWallet,
  isOwnAddress,
  type NamedWallet,
  type Owner,
  readOwnIdentifier,
  readOwnWallet,
} from './ownWallets.js'
import { readApprovals, readNewTransaction, readNewWallet } from './readWalletBody.js'

/** Returns the address in a DID such as `did:pkh:eip155:1:0x…`. */
const readDid = (did: string): string | undefined => /^did:pkh:[^:]+:[^:]+:(\w+)$/.exec(did)?.[1]

/**
 * Forwards the credential of a token in one of the user's wallets. For a token of another holder it answers
 * as if there were none.
 *
 * @throws {@link HttpError} 404 for what is not the user's; {@link KassaError} `api.invalid-answer`; the
 * service's refusal.
 */
const forwardOwnCredential = async (
  service: WalletService,
  nftLocator: string,
  asker: Asker,
): Promise<Response> => {
  const call = callOf(operations.getCredential, { nftLocator })
  const response = await callWallet(service, call, asker.buyer)
  const read = readCredentialAnswer(readJson(await response.clone().text()))
  if (read.fault !== undefined)
    throw apiError('api.invalid-answer', { url: `${service.baseUrl}${call.path}`, issues: read.fault })
  const holder = readDid(read.data.value.credentialSubject.id)
  if (holder !== undefined && (await isOwnAddress(service, holder, asker))) return response
  throw new HttpError(404, `Token ${nftLocator} not found`)
}

/** The terms on which a shop opens wallets. */
export type WalletTerms = Owner & {
  canCreate: CheckCreation | undefined
  canSend: CheckTransaction | undefined
}

/** A browser's request, and the terms on which it is answered. */
type Visit = { request: Request; terms: WalletTerms }

const toAsker = ({ request, terms }: Visit): Asker => ({ ...terms, buyer: request.signal })

type Called = Exclude<WalletOperation, { name: 'getCredential' }>

/** Adds the query parameters of a browser's request to a call, by name. */
const withQuery = (call: WalletCall, request: Request, names: readonly string[]): WalletCall => {
  const given = new URL(request.url).searchParams
  const query = new URLSearchParams()
  for (const name of names) {
    const value = given.get(name)
    if (value !== null) query.set(name, value)
  }
  return query.size ? { ...call, path: `${call.path}?${query}` } : call
}

const toCreation = async ({ timeoutMs }: WalletService, { request, terms }: Visit): Promise<WalletCall> => {
  const { canCreate, user, types } = terms
  const { type: named, config } = await readNewWallet(request, timeoutMs)
  const type = types.find((known) => known === named)
  if (!type) throw new HttpError(400, `type: expected one of ${types.join(', ')}`)
  await checkCreation(canCreate, { type, adminSigner: config?.adminSigner, user, request }, timeoutMs)
  const body = { type, linkedUser: user, ...(config && { config }) }
  return { ...callOf(operations.createWallet, {}), body }
}

const toTransaction = async (
  service: WalletService,
  { type, locator }: NamedWallet,
  visit: Visit,
): Promise<object> => {
  const { timeoutMs } = service
  const { request, terms } = visit
  const { canSend, user } = terms
  const transaction = await readNewTransaction(request, type, timeoutMs)
  if (canSend) {
    const wallet = await findOwnWallet(service, locator, toAsker(visit))
    if (!wallet) throw new HttpError(404, `Wallet me:${type} not found`)
    await checkTransaction(canSend, { ...transaction, ...wallet, user, request }, timeoutMs)
  }
  return { params: transaction.params }
}

const toCall = async (service: WalletService, operation: Called, visit: Visit): Promise<WalletCall> => {
  const { request, terms } = visit
  if (operation.name === 'createWallet') return toCreation(service, visit)
  if (operation.name === 'listWalletTokens') {
    const own = await readOwnIdentifier(service, operation.identifier, toAsker(visit))
    return withQuery(callOf(operations.listWalletTokens, { identifier: own }), request, ['page', 'perPage'])
  }
  const own = readOwnWallet(operation.wallet, terms)
  const wallet = `me:${own.type}`
  const { locator: walletLocator } = own
  switch (operation.name) {
    case 'getWallet':
      return { ...callOf(operations.getWallet, { walletLocator }), wallet }
    case 'getBalances': {
      const call = callOf(operations.getBalances, { walletLocator })
      return { ...withQuery(call, request, ['tokens', 'chains']), wallet }
    }
    case 'listTransactions': {
      const call = callOf(operations.listTransactions, { walletLocator })
      return { ...withQuery(call, request, ['page', 'perPage']), wallet }
    }
    case 'createTransaction': {
      const body = await toTransaction(service, own, visit)
      return { ...callOf(operations.createTransaction, { walletLocator }), body, wallet }
    }
    case 'getTransaction': {
      const { transactionId } = operation
      return { ...callOf(operations.getTransaction, { walletLocator, transactionId }), wallet }
    }
    case 'approveTransaction': {
      const body = await readApprovals(request, service.timeoutMs)
      const { transactionId } = operation
      return { ...callOf(operations.approveTransaction, { walletLocator, transactionId }), body, wallet }
    }
  }
}

/**
 * Reads the wallets of a signed-in user, or makes them send, with the shop's own key.
 *
 * @throws {@link HttpError} for what is not the user's, or an unknown call; {@link KassaError} for the shop's
 * own faults.
 */
export const openWallet = async (
  service: WalletService,
  operation: WalletOperation,
  visit: Visit,
): Promise<Response> => {
  const { request, terms } = visit
  if (operation.name === 'getCredential')
    return forwardOwnCredential(service, operation.nftLocator, toAsker(visit))
  const given = request.method === 'POST' ? request.headers.get('x-idempotency-key') : null
  // Bound to the user, so that another user's key and body never return this user's answer.
  const name = `kassa wallet handler\n${terms.user}`
  const idempotencyKey = await bindIdempotencyKey(given, service.apiKey, name)
  const call = await toCall(service, operation, visit)
  return callWallet(service, { ...call, idempotencyKey }, request.signal)
}

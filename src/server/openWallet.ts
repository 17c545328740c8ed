import { bindIdempotencyKey } from './bindIdempotencyKey.js'
import { callWallet, type WalletCall, type WalletService } from './callWallet.js'
import { type CheckTransaction, checkTransaction } from './checkTransaction.js'
import type { WalletOperation } from './findWalletOperation.js'
import { type Owner, readOwnIdentifier, readOwnWallet } from './ownWallets.js'
import { Refusal } from './Refusal.js'
import { readApprovals, readNewTransaction, readNewWallet } from './readWalletBody.js'

/** On what terms a shop opens wallets. */
export type WalletTerms = Owner & { canSend: CheckTransaction | undefined }

/** The part of a query that the service is asked with: these names, and no other. */
const pickQuery = (request: Request, ...names: string[]): string => {
  const given = new URL(request.url).searchParams
  const query = new URLSearchParams()
  for (const name of names) {
    const value = given.get(name)
    if (value !== null) query.set(name, value)
  }
  return query.size ? `?${query}` : ''
}

const toCall = async (
  service: WalletService,
  operation: WalletOperation,
  request: Request,
  { canSend, ...owner }: WalletTerms,
): Promise<WalletCall> => {
  const { timeoutMs } = service
  const { user, types } = owner
  switch (operation.name) {
    case 'createWallet': {
      const { type, config } = await readNewWallet(request, timeoutMs)
      if (!types.some((known) => known === type))
        throw new Refusal(400, `type: expected one of ${types.join(', ')}`)
      const body = { type, linkedUser: user, ...(config && { config }) }
      return { method: 'POST', path: '/2022-06-09/wallets', body }
    }
    case 'getCredential': {
      const locator = encodeURIComponent(operation.nftLocator)
      return { method: 'GET', path: `/v1-alpha1/nfts/${locator}/credentials` }
    }
    case 'listWalletTokens': {
      const { identifier } = operation
      const own = await readOwnIdentifier(service, identifier, owner, request.signal)
      const path = `/2022-06-09/wallets/${encodeURIComponent(own)}/nfts`
      return { method: 'GET', path: `${path}${pickQuery(request, 'page', 'perPage')}` }
    }
    case 'getBalances': {
      const { path } = readOwnWallet(operation.wallet, owner)
      const query = pickQuery(request, 'tokens', 'chains')
      return { method: 'GET', path: `/v1-alpha2/wallets/${path}/balances${query}` }
    }
  }
  const wallet = readOwnWallet(operation.wallet, owner)
  const path = `/2022-06-09/wallets/${wallet.path}`
  switch (operation.name) {
    case 'getWallet':
      return { method: 'GET', path }
    case 'listTransactions':
      return { method: 'GET', path: `${path}/transactions${pickQuery(request, 'page', 'perPage')}` }
    case 'createTransaction': {
      const transaction = await readNewTransaction(request, wallet.type, timeoutMs)
      if (canSend) await checkTransaction(canSend, { ...transaction, user, request }, timeoutMs)
      return { method: 'POST', path: `${path}/transactions`, body: { params: transaction.params } }
    }
    case 'getTransaction':
      return { method: 'GET', path: `${path}/transactions/${operation.transactionId}` }
    case 'approveTransaction': {
      const body = await readApprovals(request, timeoutMs)
      return { method: 'POST', path: `${path}/transactions/${operation.transactionId}/approvals`, body }
    }
  }
}

/**
 * Reads the wallets of a signed-in user, or has them do something, with the shop's own key.
 *
 * @throws {@link Refusal} for what is not the user's, or no call of this handler; {@link KassaError} for what is the
 * shop's fault.
 */
export const openWallet = async (
  service: WalletService,
  operation: WalletOperation,
  request: Request,
  terms: WalletTerms,
): Promise<Response> => {
  const given = request.method === 'POST' ? request.headers.get('x-idempotency-key') : null
  // Bound to the user: with another's key and body nobody is given the other's answer.
  const name = `kassa wallet handler\n${terms.user}`
  const idempotencyKey = await bindIdempotencyKey(given, service.apiKey, name)
  const call = await toCall(service, operation, request, terms)
  return callWallet(service, { ...call, idempotencyKey }, request.signal)
}

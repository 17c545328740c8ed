/** A request's operation on a wallet handler, named like the functions of `kassa/api`. */
export type WalletOperation =
  | { name: 'createWallet' }
  | { name: 'getWallet' | 'listTransactions' | 'createTransaction' | 'getBalances'; wallet: string }
  | { name: 'getTransaction' | 'approveTransaction'; wallet: string; transactionId: string }
  | { name: 'listWalletTokens'; identifier: string }
  | { name: 'getCredential'; nftLocator: string }

const route =
  /\/(?:2022-06-09\/wallets(?:\/([^/]+)(?:\/(nfts|transactions)(?:\/([^/]+)(?:\/(approvals))?)?)?)?|v1-alpha2\/wallets\/([^/]+)\/balances|v1-alpha1\/nfts\/([^/]+)\/credentials)\/?$/

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

const findOnWallet = (
  method: string,
  wallet: string,
  [list, transactionId, action]: readonly (string | undefined)[],
): WalletOperation | undefined => {
  const isRead = method === 'GET'
  if (list === undefined) return isRead ? { name: 'getWallet', wallet } : undefined
  if (list === 'nfts')
    return isRead && transactionId === undefined
      ? { name: 'listWalletTokens', identifier: wallet }
      : undefined
  if (transactionId === undefined) return { name: isRead ? 'listTransactions' : 'createTransaction', wallet }
  // The id becomes part of a path, so it may have only letters, digits, underscores and dashes.
  if (!/^[\w-]{1,64}$/.test(transactionId)) return undefined
  if (action === undefined) return isRead ? { name: 'getTransaction', wallet, transactionId } : undefined
  return isRead ? undefined : { name: 'approveTransaction', wallet, transactionId }
}

/**
 * Finds a request's operation, wherever the handler is mounted; undefined for a request that is not allowed.
 */
export const findWalletOperation = ({
  method,
  url,
}: Pick<Request, 'method' | 'url'>): WalletOperation | undefined => {
  const found = route.exec(new URL(url).pathname)
  if (!found || (method !== 'GET' && method !== 'POST')) return undefined
  const [, wallet, list, transactionId, action, holder, token] = found
  const named = wallet ?? holder ?? token
  const text = named === undefined ? undefined : decode(named)
  if (named === undefined) return method === 'POST' ? { name: 'createWallet' } : undefined
  if (text === undefined) return undefined
  if (wallet !== undefined) return findOnWallet(method, text, [list, transactionId, action])
  if (method !== 'GET') return undefined
  return holder !== undefined
    ? { name: 'getBalances', wallet: text }
    : { name: 'getCredential', nftLocator: text }
}

import { checkBaseUrl } from '../api/baseUrl.js'
import type { WalletType } from '../schema/members.js'
import type { CheckCreation } from './checkCreation.js'
import type { CheckTransaction } from './checkTransaction.js'
import { checkServerKey } from './createServerClient.js'
import { findWalletOperation } from './findWalletOperation.js'
import { HttpError } from './HttpError.js'
import { openHandler } from './openHandler.js'
import { openWallet } from './openWallet.js'
import { type FindUser, readUser } from './readUser.js'
import { createWalletBook } from './walletBook.js'

/** Parameters of {@link createWalletHandler}. */
export type CreateWalletHandlerParameters = {
  /** The service's address for this server, ending in `/api`. */
  baseUrl: string
  /** The shop's server key, `sk_…`. It never leaves this server. */
  apiKey: string | undefined
  /**
   * Returns the signed-in user from the shop's own session: `email:ada@example.com`, `userId:42`, …;
   * undefined without one. The returned user gets full access to their wallets, so return only a user who has
   * proved their identity: an address typed into a form proves nothing.
   */
  user: FindUser
  /** The wallet types that users may have. By default `evm-smart-wallet` and `evm-mpc-wallet`. */
  walletTypes?: readonly WalletType[] | undefined
  /**
   * Checks every wallet before it is created, and returns true to allow it. False, a sentence for the user,
   * or no value refuses. A user has one wallet per type, and its signer is permanent. The session alone
   * decides the signer, so a script injected into a page could name its own signer. If that matters,
   * require more than a session, such as a link confirmed within the last minutes.
   *
   * Without it, `evm-mpc-wallet` is allowed, and smart wallets with a passkey. A smart wallet for a user's
   * account, or with the service as its custodian, requires this function to return true.
   */
  canCreate?: CheckCreation | undefined
  /**
   * Checks every transaction before it is created, and returns true to allow it. False, a sentence for the
   * user, or no value refuses. The service signs for the wallets it keeps without asking their owner, so a
   * script in a page of the shop could send all that the user has. Prevent that here: require more than a
   * session, such as the password again, or allow only what the shop's own pages do, as {@link
   * isTokenTransfer} does. The wallet's type does not say whether the service keeps it; `signerType` does.
   */
  canSend?: CheckTransaction | undefined
  /** Further same-site origins whose pages may call. The handler's own origin always may. */
  origins?: readonly string[] | undefined
  /**
   * Receives errors that the user did not cause: what `user`, `canCreate` or `canSend` threw, a key the
   * service rejects, an unavailable service. By default they go to the console.
   */
  onError?: ((error: unknown) => void) | undefined
  /** Replaces the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** The timeout for each of the service, `user`, `canCreate`, `canSend` and the body. By default 15 s. */
  timeoutMs?: number | undefined
}

/**
 * Creates the shop's own wallet endpoint as a web-standard handler. A signed-in user can read their wallets,
 * the tokens in them and their credentials, and send tokens. It has the interface's paths, with `me` in place
 * of a user: `me:evm-smart-wallet` is a wallet, `me:base` all tokens on a chain. Other users' wallets are out
 * of reach, and it does not fund tokens.
 *
 * Mount it under a path of your choice, and give the hooks of `kassa/wallet` a client of that path:
 * `createClient({ baseUrl: '/api/wallet' })`. It refuses pages of other origins by the headers that browsers
 * set, so it needs no CSRF token. A call without an origin may only read.
 *
 * @returns Answers in the interface's form; 401 without a signed-in user; 403 for what `canCreate` or
 * `canSend` refused and for a page of another origin; 404 for what is not the user's, and for an unknown
 * path; 413 over 64 KiB; 503 or 504 while the service is unavailable; 500 without details for the shop's own
 * faults.
 * @throws {@link KassaError} `config.origin-invalid`
 * @source interface.md "Wallet locator formats"; answers.md "Wallets and transactions"
 * @example
 * ```ts
 * import { createWalletHandler, isTokenTransfer } from 'kassa/server'
 *
 * // Your own: who the session of a request belongs to.
 * declare const getSession: (request: Request) => Promise<{ email: string } | undefined>
 *
 * // app/api/wallet/[...path]/route.ts of a Next.js app
 * const handler = createWalletHandler({
 *   baseUrl: process.env.KASSA_BASE_URL ?? 'http://localhost:4000/api',
 *   apiKey: process.env.KASSA_SERVER_KEY,
 *   user: async (request) => {
 *     const session = await getSession(request)
 *     return session && `email:${session.email}`
 *   },
 *   // Tokens are sent on, and nothing else leaves a wallet.
 *   canSend: (transaction) => isTokenTransfer(transaction) || 'Only tokens can be sent.',
 * })
 *
 * export { handler as GET, handler as POST }
 * ```
 */
export const createWalletHandler = ({
  baseUrl,
  apiKey,
  user: findUser,
  walletTypes: types = ['evm-smart-wallet', 'evm-mpc-wallet'],
  canCreate,
  canSend,
  origins = [],
  onError,
  fetch = (input, init) => globalThis.fetch(input, init),
  timeoutMs = 15_000,
}: CreateWalletHandlerParameters): ((request: Request) => Promise<Response>) => {
  const wallets = createWalletBook()
  // Browsers send the session automatically, as a cookie.
  const frame = { kind: 'wallet', origins, isByCookie: true, onError } as const
  return openHandler(frame, async (request) => {
    const operation = findWalletOperation(request)
    if (!operation) throw new HttpError(404, 'No such path below the wallet handler')
    const key = checkServerKey('createWalletHandler', apiKey)
    const service = { baseUrl: checkBaseUrl(baseUrl), fetch, timeoutMs, apiKey: key }
    const user = await readUser(findUser, request, timeoutMs)
    const terms = { user, types, wallets, canCreate, canSend }
    return openWallet(service, operation, { request, terms })
  })
}

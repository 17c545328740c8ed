import type { WalletType } from '../schema/members.js'
import { readOrigins } from './callerOrigin.js'
import type { CheckCreation } from './checkCreation.js'
import type { CheckTransaction } from './checkTransaction.js'
import { checkServerKey } from './createServerClient.js'
import { explainError } from './explainError.js'
import { findWalletOperation } from './findWalletOperation.js'
import { guardOrigin } from './guardOrigin.js'
import { openWallet } from './openWallet.js'
import { Refusal } from './Refusal.js'
import { type FindUser, readUser } from './readUser.js'
import { createWalletBook } from './walletBook.js'

/** Parameters of {@link createWalletHandler}. */
export type CreateWalletHandlerParameters = {
  /** The service's address as this server reaches it, ending in `/api`. */
  baseUrl: string
  /** The shop's server key, `sk_…`. It never leaves this server. */
  apiKey: string | undefined
  /**
   * Who is signed in, as the shop's own session says: `email:ada@example.com`, `userId:42`, …; undefined when nobody
   * is. Whoever it names is given that user's wallets, so it names only who has proved to be that user: an address that
   * was typed into a form proves nothing.
   */
  user: FindUser
  /** The types of wallets that users have; `evm-smart-wallet` and `evm-mpc-wallet` by default. */
  walletTypes?: readonly WalletType[] | undefined
  /**
   * Looks at every wallet before it is created, and answers true to let it pass; false, a sentence for the user, or
   * nothing at all stops it. A user has one wallet of a type, and who signs for it is said once and for good, by whoever
   * holds the session: a script that got into a page names a signer of its own as well as the user does. So ask for more
   * than a session where that matters, such as a link of their own from the last minutes.
   *
   * Without it, `evm-mpc-wallet` passes, and of smart wallets those that a passkey is to open. One for an account of the
   * user's, or for the service as its custodian, takes a yes of yours.
   */
  canCreate?: CheckCreation | undefined
  /**
   * Looks at every transaction before it is created, and answers true to let it pass; false, a sentence for the user,
   * or nothing at all stops it. A wallet that the service keeps sends by itself: whatever script runs in a page of the
   * shop may then send all that the user has, unless this function asks for more than a session, such as a password
   * typed again, or lets nothing through but what the shop's own pages do, as {@link isTokenTransfer} does. Which wallet
   * that is, its type does not tell: `signerType` does.
   */
  canSend?: CheckTransaction | undefined
  /** Other origins whose pages may call, of the same site; the handler's own always may. */
  origins?: readonly string[] | undefined
  /**
   * Hears what was no buyer's fault: what `user`, `canCreate` or `canSend` threw, a key the service does not accept, a service that
   * is away. Without it, that goes to the console.
   */
  onError?: ((error: unknown) => void) | undefined
  /** Stands in for the global `fetch`. */
  fetch?: typeof fetch | undefined
  /** How long the service, `user`, `canCreate`, `canSend` and the body may each take; 15 s by default. */
  timeoutMs?: number | undefined
}

/**
 * Makes the shop's own wallet endpoint, of the web's own kind: a signed-in user sees their wallets, what these hold and
 * its credentials, and has them send. It speaks the paths of the interface, and a browser says `me` where those name a
 * user: `me:evm-smart-wallet` is a wallet, `me:base` all tokens on a chain. Nobody reaches another's, and tokens are
 * not funded through it.
 *
 * Mount it below a path of your choice, and give the hooks of `kassa/wallet` a client of that path:
 * `createClient({ baseUrl: '/api/wallet' })`. Pages of other origins are refused by what browsers say of themselves,
 * so no token against forged requests is needed; a call that says nothing of its origin may only read.
 *
 * @returns Answers in the interface's own form; 401 when nobody is signed in; 403 for what `canCreate` or `canSend`
 * stopped and for a page of another origin; 404 for what is not the user's, and for what is no path of it; 413 over
 * 64 KiB; 503 or 504 while the service is away; 500 without details for the shop's own faults.
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
  origins: given = [],
  onError,
  fetch = (input, init) => globalThis.fetch(input, init),
  timeoutMs = 15_000,
}: CreateWalletHandlerParameters): ((request: Request) => Promise<Response>) => {
  const origins = readOrigins(given)
  const wallets = createWalletBook()
  const address = { baseUrl: baseUrl.replace(/(?<!\/)\/+$/, ''), fetch, timeoutMs }
  const tell = (error: unknown): void => {
    if (onError) onError(error)
    else console.error('A wallet request was not handled.', error)
  }
  const handle = async (request: Request): Promise<Response> => {
    const operation = findWalletOperation(request)
    if (!operation) throw new Refusal(404, 'No such path below the wallet handler')
    const service = { ...address, apiKey: checkServerKey('createWalletHandler', apiKey) }
    const user = await readUser(findUser, request, timeoutMs)
    return openWallet(service, operation, request, { user, types, wallets, canCreate, canSend })
  }
  // The session comes along by itself, as cookies do.
  return guardOrigin({ origins, isByCookie: true }, async (request) => {
    try {
      return await handle(request)
    } catch (error) {
      const { response, isOurs } = explainError(error)
      // A buyer who has left is nobody's fault.
      if (isOurs && !request.signal.aborted) tell(error instanceof Refusal ? error.cause : error)
      return response
    }
  })
}

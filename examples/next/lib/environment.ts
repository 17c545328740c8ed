import type { PaymentRules } from 'kassa'
import { type Address, isAddress } from 'viem'
import { parsePaymentRules } from './paymentRules'

/** The service's address, the server's secret key, and where payments must go. */
export type Environment = {
  /** The service's address for this server, ending in `/api`. */
  baseUrl: string
  /** The service's address for browsers, ending in `/api`. */
  publicBaseUrl: string
  serverKey: string | undefined
  /**
   * Undefined when not configured. Then a sandbox is asked for its rules; outside a sandbox, the service is
   * trusted.
   */
  paymentRules: PaymentRules | undefined
  /** The issuer whose credentials about token owners count. If undefined, no credential is shown as valid. */
  credentialIssuer: Address | undefined
  /** The project's id at WalletConnect. If undefined, the shop does not offer it. */
  walletConnectId: string | undefined
}

const readIssuer = (text: string | undefined): Address | undefined => {
  if (!text) return undefined
  if (isAddress(text)) return text
  throw new Error('KASSA_CREDENTIAL_ISSUER: expected an address, with its checksum if in both cases')
}

/**
 * Reads the environment at run time, so that one build serves every deployment. The wallet and the back
 * office read the last five variables where they need them.
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `KASSA_BASE_URL` | the service's address for this server, ending in `/api` | `http://localhost:4000/api`
 * |
 * | `KASSA_PUBLIC_BASE_URL` | the service's address for browsers | `KASSA_BASE_URL` |
 * | `KASSA_SERVER_KEY` | key that creates orders | |
 * | `KASSA_CONTRACTS` | the output of `kassa-service contracts`: the only contracts and tokens a payment may
 * go to | a sandbox's own |
 * | `KASSA_CREDENTIAL_ISSUER` | the address whose credentials this shop trusts: that of the service's
 * operator key | the sandbox's own, by `npm start` |
 * | `KASSA_WALLETCONNECT_ID` | the id of a project at WalletConnect, which pays from phones | |
 * | `KASSA_WEBHOOK_SECRET` | the secret the service signs its webhooks with; without it the shop accepts none
 * | |
 * | `KASSA_SHOP_URL` | this shop's address for browsers, for the links in its e-mails and for those that are
 * shared | a sandbox's own |
 * | `KASSA_SESSION_SECRET` | signs sign-in links and sessions and encrypts the links of receipts, 32 characters or more | derived from the
 * server key |
 * | `KASSA_STORE` | the file this shop keeps its orders in | `.kassa/orders.json` |
 * | `KASSA_SHOP_PASSWORD` | opens the back office, `/orders`; without it only a sandbox has one | |
 *
 * @throws Error when `KASSA_CONTRACTS` or `KASSA_CREDENTIAL_ISSUER` is malformed.
 */
export const readEnvironment = (env: Record<string, string | undefined>): Environment => {
  const baseUrl = env.KASSA_BASE_URL ?? 'http://localhost:4000/api'
  return {
    baseUrl,
    publicBaseUrl: env.KASSA_PUBLIC_BASE_URL ?? baseUrl,
    serverKey: env.KASSA_SERVER_KEY,
    paymentRules: env.KASSA_CONTRACTS ? parsePaymentRules(env.KASSA_CONTRACTS) : undefined,
    credentialIssuer: readIssuer(env.KASSA_CREDENTIAL_ISSUER),
    walletConnectId: env.KASSA_WALLETCONNECT_ID || undefined,
  }
}

/** The path where this shop's server answers order calls from browsers, with the key that no browser sees. */
export const checkoutUrl = '/api/checkout'

/** The path where this shop's server answers calls about the signed-in user's wallets. */
export const walletUrl = '/api/wallet'

/** Returns the service's address without `/api`, which serves pictures and the sandbox. */
export const getOrigin = (baseUrl: string): string => baseUrl.replace(/\/api\/?$/, '')

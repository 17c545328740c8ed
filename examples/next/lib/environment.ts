import type { PaymentRules } from 'kassa'
import { type Address, isAddress } from 'viem'
import { parsePaymentRules } from './paymentRules'

/** Where the checkout service is, the key that only this server knows, and where the money must go. */
export type Environment = {
  /** The service as this server reaches it, ending in `/api`. */
  baseUrl: string
  /** The service as a browser reaches it, ending in `/api`. */
  publicBaseUrl: string
  serverKey: string | undefined
  /** Undefined when nobody said so: then a sandbox is asked, and outside of one the service is believed. */
  paymentRules: PaymentRules | undefined
  /** Whose word on who holds a token counts; undefined when nobody said so: then no credential is called valid. */
  credentialIssuer: Address | undefined
}

const readIssuer = (text: string | undefined): Address | undefined => {
  if (!text) return undefined
  if (isAddress(text)) return text
  throw new Error('KASSA_CREDENTIAL_ISSUER: expected an address, with its checksum if in both cases')
}

/**
 * Reads the environment at run time, so that one build serves every deployment. The last five are of the
 * wallet and the back office, which read them where they need them.
 *
 * | variable | meaning | default |
 * |---|---|---|
 * | `KASSA_BASE_URL` | the service as this server reaches it, ending in `/api` | `http://localhost:4000/api` |
 * | `KASSA_PUBLIC_BASE_URL` | the service as a browser reaches it | `KASSA_BASE_URL` |
 * | `KASSA_SERVER_KEY` | key that creates orders | |
 * | `KASSA_CONTRACTS` | what `kassa-service contracts` prints: the only contracts and tokens a payment may go to | a sandbox's own |
 * | `KASSA_CREDENTIAL_ISSUER` | the address whose credentials this shop believes: that of the service's operator key | the sandbox's own, by `npm start` |
 * | `KASSA_WEBHOOK_SECRET` | what the service signs its webhooks with; without it none is taken | |
 * | `KASSA_SHOP_URL` | this shop as a browser reaches it, for the links in its mails | a sandbox's own |
 * | `KASSA_SESSION_SECRET` | signs sign-in links and sessions, 32 characters or more | follows from the server key |
 * | `KASSA_STORE` | the file this shop keeps its orders in | `.kassa/orders.json` |
 * | `KASSA_SHOP_PASSWORD` | opens the back office, `/orders`; without it only a sandbox has one | |
 *
 * @throws Error when `KASSA_CONTRACTS` or `KASSA_CREDENTIAL_ISSUER` is something else.
 */
export const readEnvironment = (env: Record<string, string | undefined>): Environment => {
  const baseUrl = env.KASSA_BASE_URL ?? 'http://localhost:4000/api'
  return {
    baseUrl,
    publicBaseUrl: env.KASSA_PUBLIC_BASE_URL ?? baseUrl,
    serverKey: env.KASSA_SERVER_KEY,
    paymentRules: env.KASSA_CONTRACTS ? parsePaymentRules(env.KASSA_CONTRACTS) : undefined,
    credentialIssuer: readIssuer(env.KASSA_CREDENTIAL_ISSUER),
  }
}

/** Where this shop's own server answers a browser's calls about orders, with the key that no browser sees. */
export const checkoutUrl = '/api/checkout'

/** Where this shop's own server answers a browser's calls about the wallets of whoever is signed in. */
export const walletUrl = '/api/wallet'

/** The service's address without `/api`, where pictures and the sandbox are served. */
export const getOrigin = (baseUrl: string): string => baseUrl.replace(/\/api\/?$/, '')

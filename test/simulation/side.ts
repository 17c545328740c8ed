import type { Client } from '../../src/api/index.js'
import type { WebStorage } from '../../src/chain/index.js'
import type { PaymentParameters } from '../../src/query.js'
import type { Shop } from '../helpers/createShop.js'
import { limits } from '../limits.js'
import type { Requests } from './askedWallet.js'
import type { Clock } from './clock.js'
import type { Gate } from './gate.js'
import type { Random } from './random.js'

/** What a purchase gives to its family of chains. */
export type SideParameters = {
  shop: Shop
  random: Random
  clock: Clock
  note(text: string): void
}

/** What a page has of the chains, and of the wallet on them. */
export type PageChains = Pick<PaymentParameters, 'config' | 'rules' | 'solana'>

/** A buyer's order and wallet on one family of chains, and what the chain itself says of them afterwards. */
export type Side = {
  orderId: string
  clientSecret: string
  client: Client
  storage: WebStorage
  requests: Requests
  /** Opens the chains and the wallet for a page. They answer through its gate. */
  openChains(gate: Gate, name: string): PageChains
  /** Waits until nothing of the buyer's is on its way any more. */
  settle(): Promise<void>
  countPayments(): Promise<number>
  countDelivered(): Promise<number>
  /** Returns in words how the buyer's money differs from what it should be; undefined when it does not. */
  findMissingMoney(): Promise<string | undefined>
}

/** How long anything may take, in milliseconds. */
export const patienceMs = limits.conditionMs

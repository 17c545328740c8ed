import type { CreateAuthorizationBody, PreparedAuthorization } from 'kassa/schema'
import type { StoredAuthorization } from '../db/tables/authorizations.js'
import type { WriteOptions, WriteResult } from './write.js'

/** The payment of an order that a signed authorization is to make. */
export type AuthorizedPayment = {
  orderId: string
  currency: string
  /** What is left to pay. @units base units of `currency` */
  units: bigint
  /** When the quote ends. No authorization is valid for longer. */
  deadlineMs: number
  /** Who pays; absent where any account may. */
  payer?: string | undefined
  /** What the order proposed to be signed, if it did. */
  prepared?: PreparedAuthorization | undefined
  /** Whether the payer's software chose the nonce, and a time within the quote's, as clients of x402 do. */
  isChosen?: boolean
}

export type { StoredAuthorization }

/** Why an authorization is refused, in the words of x402, and a sentence about it. */
export type AuthorizationRefusal = { reason: string; message: string }

/** A stored authorization, and the payment that it makes. */
export type AuthorizationWrite = Pick<AuthorizedPayment, 'orderId' | 'currency' | 'units'> & {
  authorization: StoredAuthorization
}

/** What settling an authorization would do now. */
export type SimulatedAuthorization =
  | {
      status: 'ready'
      /** The most that its transaction may cost the operator. @units base units of the native currency */
      fee: bigint
    }
  | ({ status: 'refused' } & AuthorizationRefusal)

/** A token that takes signed transfers, and the domain of its typed data. */
export type SignedTransferToken = { address: string; name: string; version: string }

/** Moves a buyer's money by the buyer's signature. Absent on chains whose tokens take none. */
export type AuthorizationPort = {
  /** Returns the token of a currency, if it takes signed transfers. The chain is asked once. */
  findTransferToken(currency: string): Promise<SignedTransferToken | undefined>
  /**
   * Reads a signed authorization, and checks each of its fields against the payment. Its signature is checked when it
   * is simulated.
   */
  read(
    payment: AuthorizedPayment,
    body: CreateAuthorizationBody,
    nowMs: number,
  ): Promise<{ authorization: StoredAuthorization } | { refused: AuthorizationRefusal }>
  /** Asks the chain whether it would make the payment now, and what that would cost. */
  simulate(write: AuthorizationWrite): Promise<SimulatedAuthorization>
  /**
   * Has the chain make the payment, once for each authorization. It succeeds too if another account brought the same
   * authorization first.
   */
  settle(key: string, write: AuthorizationWrite, options?: WriteOptions): Promise<WriteResult>
}

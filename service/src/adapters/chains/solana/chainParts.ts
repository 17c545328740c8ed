import type { Address, TransactionPartialSigner } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { createBubblegum } from './collections/bubblegum.js'
import type { Compression } from './collections/compression.js'
import { accountAddress } from './connection/accountAddress.js'
import type { ChainNode } from './connection/createChainNode.js'
import { deriveTestToken } from './connection/derivedAddresses.js'
import { createOrderSigner } from './connection/orderSigner.js'
import { parseAddress } from './connection/parseAddress.js'
import { testTokens } from './createTestTokens.js'
import {
  createPaymentTerms,
  createReadSeeded,
  type PaymentPlace,
  type PaymentTerms,
} from './payments/paymentTerms.js'
import type { SolanaChainOptions } from './solanaChainOptions.js'

/** The operator of a chain and the currencies that it accepts, all derived from the settings. */
export type Operator = {
  options: SolanaChainOptions
  chain: string
  /** The account that pays fees, mints, pays out and holds the treasury. */
  operator: Address
  currencies: readonly ChainCurrency[]
  /** Whether the tokens are the service's own, which it mints without a limit. */
  hasTestTokens: boolean
  /** What all payments have in common. */
  terms: PaymentTerms
  /** Absent where the cluster has no program for it. */
  compression?: Compression | undefined
  /**
   * Returns where an order is paid in a currency.
   *
   * @throws {ServiceError} `input-invalid` if the chain does not accept the currency.
   */
  placeOf(order: { orderId: string; currency: string }): PaymentPlace
  /** Returns the signer of an order's own key, which moves what the order was paid. */
  signerOf(orderId: string): TransactionPartialSigner
  /**
   * Reads an address that a caller has named.
   *
   * @throws {ServiceError} `input-invalid` if the text is none.
   */
  addressOf(text: string): Address
}

/** What the parts of a chain's port share. */
export type ChainParts = Operator & ChainNode

const native = { currency: 'sol', decimals: 9 } as const

/** Derives the operator of a chain from its settings, without asking the chain. */
export const createOperator = (options: SolanaChainOptions): Operator => {
  const { chain, programs } = options
  const operator = accountAddress(options.operatorKey)
  const tokens: readonly ChainCurrency[] =
    options.tokens === 'test-tokens'
      ? testTokens.map(({ currency, decimals }) => {
          return { currency, decimals, address: deriveTestToken(operator, currency).address }
        })
      : options.tokens
  const currencies: readonly ChainCurrency[] = [native, ...tokens]
  const terms = createPaymentTerms({ operator, currencies }, createReadSeeded(options))
  return {
    options,
    chain,
    operator,
    currencies,
    hasTestTokens: options.tokens === 'test-tokens',
    terms,
    compression: programs && createBubblegum(programs),
    placeOf: ({ orderId, currency }) => {
      const place = terms.placesOf(orderId).find((each) => each.currency === currency)
      if (place) return place
      throw new ServiceError('input-invalid', `${chain} has no currency ${currency}`)
    },
    signerOf: createOrderSigner(options.operatorKey),
    addressOf: (text) => {
      const address = parseAddress(text)
      if (address) return address
      throw new ServiceError('input-invalid', `${text} is not an address on ${chain}`)
    },
  }
}

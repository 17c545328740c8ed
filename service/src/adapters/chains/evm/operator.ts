import { type Address, getAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { ServiceError } from '#base/errors.js'
import type { CollectionRef } from '#base/ports/collections.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import { getCollectionAddress, getDeployments, toReference } from './connection/addresses.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { getTestTokens } from './payments/listContracts.js'
import type { PaymentContracts } from './payments/orderPayments.js'

/** The operator of a chain, its contracts there and the currencies that it accepts, all derived from the settings. */
export type Operator = {
  options: EvmChainOptions
  /** The account that deploys, mints, pays out, bundles operations and holds the treasury. */
  account: PrivateKeyAccount
  deployments: ReturnType<typeof getDeployments>
  /** The contracts that take payments. */
  contracts: PaymentContracts
  currencies: readonly ChainCurrency[]
  /**
   * Returns the token contract of a currency, or `undefined` for the native currency.
   *
   * @throws {ServiceError} `input-invalid` if the chain does not accept the currency.
   */
  tokenOf(currency: string): Address | undefined
  addressOf(collection: CollectionRef): Address
}

/** Derives the operator of a chain from its settings, without asking the chain. */
export const createOperator = (options: EvmChainOptions): Operator => {
  const { chain, nativeCurrency } = options
  const account = privateKeyToAccount(options.operatorKey)
  const hasTestTokens = options.tokens === 'test-tokens'
  const every = getDeployments(account.address, hasTestTokens)
  const tokens =
    options.tokens === 'test-tokens' ? getTestTokens(chain, every, options.taken) : options.tokens
  const currencies: readonly ChainCurrency[] = [{ currency: nativeCurrency, decimals: 18 }, ...tokens]
  const isAt = (place: string): boolean => tokens.some(({ address }) => address === place)
  const deployments = {
    ...every,
    testTokens: every.testTokens.filter(({ address }) => isAt(address)),
  }
  const { router, depositFactory, collectionFactory, collectionCode } = deployments
  return {
    options,
    account,
    deployments,
    contracts: { router: router.address, depositFactory: depositFactory.address, currencies },
    currencies,
    tokenOf: (currency) => {
      const known = currencies.find((each) => each.currency === currency)
      // `undefined` would mean a payment in the native currency.
      if (!known) throw new ServiceError('input-invalid', `${chain} has no currency ${currency}`)
      return known.address === undefined ? undefined : getAddress(known.address)
    },
    addressOf: ({ key, standard }) =>
      getCollectionAddress(collectionFactory.address, collectionCode[standard].address, toReference(key)),
  }
}

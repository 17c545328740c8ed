import type {
  BalanceList,
  CreateWalletInput,
  Credential,
  FundBody,
  Wallet,
  WalletTokenList,
} from '../schema/index.js'
import * as operations from '../schema/operations.js'
import {
  readBalanceList,
  readCredentialAnswer,
  readWallet,
  readWalletTokenList,
} from '../schema/walletReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

/** Parameters of {@link createWallet}. */
export type CreateWalletParameters = KeyCallParameters & {
  body: CreateWalletInput
  /** Within 24 hours, the same key and body return the first answer instead of creating a second wallet. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a wallet, or gets the user's existing one of that type, whose signer may differ from the requested
 * one: check the `config` of the answer. Without an `adminSigner` the service keeps its key and signs
 * automatically. Its address is usable at once: a smart wallet is deployed by its first transaction.
 *
 * @throws {@link KassaError} `api.bad-request` naming the field, `api.conflict` when the idempotency key was
 * used for
 * another wallet, …
 * @source interface.md "Create wallet"
 * @example
 * ```ts
 * import { type Client, createWallet } from 'kassa/api'
 *
 * export const createWalletFor = (client: Client, email: string) =>
 *   createWallet(client, { body: { type: 'evm-mpc-wallet', linkedUser: `email:${email}` } })
 * ```
 */
export const createWallet = (client: Client, parameters: CreateWalletParameters): Promise<Wallet> =>
  requestBody(client, { operation: operations.createWallet, params: {}, answer: readWallet, ...parameters })

/** Identifies a wallet. */
export type WalletParameters = KeyCallParameters & {
  /**
   * Its address, or its user and type such as `email:ada@example.com:evm-smart-wallet`. A browser sends
   * `me:evm-smart-wallet` to its shop's own handler, which knows the signed-in user.
   */
  walletLocator: string
}

/** Parameters of {@link getWallet}. */
export type GetWalletParameters = WalletParameters

/**
 * Gets a wallet.
 *
 * @throws {@link KassaError} `api.not-found`, `api.bad-request` for a locator that is none, …
 * @source interface.md "Wallet locator formats"; answers.md "Wallets and transactions"
 */
export const getWallet = async (
  client: Client,
  { walletLocator, ...call }: GetWalletParameters,
): Promise<Wallet> =>
  requestBody(client, {
    operation: operations.getWallet,
    params: { walletLocator },
    answer: readWallet,
    ...call,
  })

/** The tokens and chains whose balances to get. Some services require both. */
export type BalancesQuery = {
  /** Such as `['eth', 'usdc']`. By default all that the service knows. */
  tokens?: readonly string[] | undefined
  /** Such as `['base-sepolia']`. By default all that the service has enabled. */
  chains?: readonly string[] | undefined
}

/** Parameters of {@link getBalances}. */
export type GetBalancesParameters = WalletParameters & BalancesQuery

/**
 * Gets a wallet's currency balances.
 *
 * @units base units, as decimal strings; `decimals` says how many make a whole one
 * @throws {@link KassaError} `api.not-found` for the wallet, `api.bad-request` for a token or chain that is
 * not served, …
 * @source answers.md "Wallets and transactions"
 */
export const getBalances = async (
  client: Client,
  { walletLocator, tokens, chains, ...call }: GetBalancesParameters,
): Promise<BalanceList> =>
  requestBody(client, {
    operation: operations.getBalances,
    params: { walletLocator },
    query: writeQuery({ tokens, chains }),
    answer: readBalanceList,
    ...call,
  })

/** Parameters of {@link fundWallet}. */
export type FundWalletParameters = WalletParameters & {
  body: FundBody
  /** Within 24 hours, the same key and body fund once. */
  idempotencyKey?: string | undefined
}

/**
 * Sends a wallet test tokens, on staging only.
 *
 * @returns What the wallet holds of them afterwards.
 * @units `amount` is in whole tokens; what comes back is in base units
 * @throws {@link KassaError} `api.forbidden` in production, `api.bad-request` naming the field, …
 * @source interface.md "Fund wallet"
 */
export const fundWallet = async (
  client: Client,
  { walletLocator, ...call }: FundWalletParameters,
): Promise<BalanceList> =>
  requestBody(client, {
    operation: operations.fundWallet,
    params: { walletLocator },
    answer: readBalanceList,
    ...call,
  })

/** Parameters of {@link listWalletTokens}. */
export type ListWalletTokensParameters = KeyCallParameters &
  PageParameters & {
    /**
     * The holder: `<chain>:<address>`, or a user and a chain such as `email:ada@example.com:base`. A browser
     * sends `me:base` to its shop's own handler, which knows the signed-in user.
     */
    identifier: string
  }

/**
 * Lists the tokens of any minter that a wallet holds on its chain, page by page.
 *
 * @throws {@link KassaError} `api.bad-request` for an unknown chain or an address that is none, …
 * @source interface.md "Wallet token entry"
 */
export const listWalletTokens = async (
  client: Client,
  { identifier, page, perPage, ...call }: ListWalletTokensParameters,
): Promise<WalletTokenList> =>
  requestBody(client, {
    operation: operations.listWalletTokens,
    params: { identifier },
    query: writeQuery({ page, perPage }),
    answer: readWalletTokenList,
    ...call,
  })

/** Parameters of {@link getCredential}. */
export type GetCredentialParameters = KeyCallParameters & {
  /** `<chain>:<contractAddress>:<tokenId>`, which a token's `locator` is. */
  nftLocator: string
}

/**
 * Gets a token's credential: the issuer's signed statement about its current holder. Any library with EIP-712
 * can verify it without the service.
 *
 * @throws {@link KassaError} `api.not-found` for a token that there is not, or not any more, …
 * @source interface.md "Credential"; answers.md "Credentials"
 */
export const getCredential = async (
  client: Client,
  { nftLocator, ...call }: GetCredentialParameters,
): Promise<Credential> => {
  const { value } = await requestBody(client, {
    operation: operations.getCredential,
    params: { nftLocator },
    answer: readCredentialAnswer,
    ...call,
  })
  return value
}

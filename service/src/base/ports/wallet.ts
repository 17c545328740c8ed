import type { WalletTokenStandard } from 'kassa/schema'
import type { CallPort } from './calls.js'
import type { ChainCurrency } from './currency.js'
import type { MessagePort } from './messages.js'
import type { OperationPort } from './operations.js'
import type { ProgramWalletPort } from './programWallets.js'
import type { WalletResult } from './write.js'

/** A token that a holder received or sent, as a log of its contract shows. */
export type SeenTransfer = {
  contract: string
  tokenId: string
  /** The sender, if it is one of the requested holders. */
  from?: string
  /** The recipient, if it is one of the requested holders. */
  to?: string
  blockNumber: bigint
}

/** A token and its possible holder. Only the chain can confirm it. */
export type TokenOfHolder = { contract: string; tokenId: string; holder: string }

/** A token as the chain shows it now. `uri` is where its metadata are, if the contract returns it. */
export type HeldToken = {
  standard: WalletTokenStandard
  uri: string | undefined
  /** For subscriptions, in epoch seconds. */
  expiresAt: bigint | undefined
}

/** A token that has an address of its own, such as a mint on Solana. */
export type MintedToken = {
  mint: string
  /** How many copies exist. */
  supply: bigint
  /** The collection that the token is a verified member of. */
  group: string | undefined
  /** Where its metadata are. */
  uri: string | undefined
}

/**
 * What wallets need of a chain. Sends take a `key`, as every write of a chain does: calling again with the
 * same key, from any process, at any time, waits for the same transaction instead of sending another.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached; the caller tries again later.
 */
export type WalletPort = {
  /** The type of the wallets that the service keeps for users; undefined if it keeps none on these chains. */
  readonly custodialType: 'evm-mpc-wallet' | 'solana-mpc-wallet' | undefined
  /** Returns the address of the account of a private key: 32 bytes. It is the same on every chain of the family. */
  accountAddress(privateKey: Uint8Array): string
  /** Calls of accounts; undefined where wallets do not act by calls. */
  readonly calls: CallPort | undefined
  /** User operations of smart wallets; undefined on chains without the contracts of ERC-4337. */
  readonly operations: OperationPort | undefined
  /** Whole transactions that accounts sign; undefined where wallets act by calls. */
  readonly messages: MessagePort | undefined
  /** Smart wallets of a program on Solana; undefined where no adapter of one is built in. */
  readonly programs?: ProgramWalletPort | undefined
  /** The currencies whose balances can be read: those of the chain, and published tokens beside them. */
  readonly currencies: readonly ChainCurrency[]
  /** Reads what an address holds of each of these currencies that is asked for, in base units. */
  getBalances(address: string, currencies: readonly string[]): Promise<Record<string, bigint>>
  /** Gives an address test tokens, from the faucet of a test token or from the operator's balance. */
  fund(key: string, input: { currency: string; units: bigint; recipient: string }): Promise<WalletResult>
  /**
   * Finds transfers of the contracts' tokens in blocks `fromBlock` to `toBlock`, inclusive, in the chain's
   * order.
   */
  findTransfers(input: {
    fromBlock: bigint
    toBlock: bigint
    contracts: readonly string[]
  }): Promise<SeenTransfer[]>
  /**
   * Finds transfers of any contract's tokens from or to the wallets in blocks `fromBlock` to `toBlock`,
   * inclusive, in the chain's order. Contracts may log anything: only a token's current state shows its
   * holder. `from` and `to` name only these wallets, because the transfers of others are found only in part.
   */
  findTransfersOf(input: {
    fromBlock: bigint
    toBlock: bigint
    wallets: readonly string[]
  }): Promise<SeenTransfer[]>
  /**
   * Reads each token that its holder holds now (at least one copy of a semi-fungible token). The result is
   * `undefined` for any other token.
   */
  readTokens(tokens: readonly TokenOfHolder[]): Promise<(HeldToken | undefined)[]>
  /**
   * Lists what an address holds, on chains whose nodes tell that. Without it, the tokens of a wallet are found by
   * their transfers.
   */
  listHeld?(holder: string): Promise<MintedToken[]>
  /**
   * Finds the owner of a token. Returns `semi-fungible` if there may be many owners, and `undefined` if there
   * is none.
   */
  findOwner(token: {
    /** Or the token's own address, where it has one. */
    contract: string
    tokenId: string
  }): Promise<
    | {
        owner: string
        expiresAt: bigint | undefined /** As in {@link MintedToken}. */
        group?: string | undefined
      }
    | 'semi-fungible'
    | undefined
  >
}

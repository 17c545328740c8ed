import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EncodedCall } from '../../engine/evm/encodeCalls.js'
import type { OrderEvent } from '../../engine/order/event.js'
import type { OrderState } from '../../engine/order/order.js'
import type { AskedParams } from '../../engine/wallet/readParams.js'
import type { EvmWalletType, StoredSigner } from '../../engine/wallet/signer.js'
import type { EvmChainName } from '../../schema/chains.js'
import type { AuthorizationKind } from '../../schema/orderMembers.js'
import type { SubmittedApproval, TransactionError, UserOperation } from '../../schema/transaction.js'
import type { SolanaMpcWalletParams } from '../../schema/transactionInput.js'
import type { TransactionStatus } from '../../schema/walletMembers.js'
import type { TestChains } from '../evm/answerNode.js'
import type { SignedCurrencies } from '../evm/createSignatureLedger.js'
import type { TestChainName } from '../network.js'
import type { TestSolana } from '../solana/testSolana.js'
import type { StockedCollection } from './testCollection.js'

/** What a token shows of itself. */
export type TokenLooks = { name: string; description: string; imageUrl: string }

type AnyWallet = {
  id: string
  adminSigner: StoredSigner
  /** Such as `email:ada@example.com`; undefined for a wallet without an owner. */
  userLocator: string | undefined
  createdAtMs: number
}

/** A user's wallet on EVM chains, as the test service keeps it. */
export type EvmUserWallet = AnyWallet & {
  type: EvmWalletType
  address: Address
  /** The key of a wallet that the service signs for. */
  custodian: PrivateKeyAccount | undefined
}

/** A user's wallet on Solana, as the test service keeps it. */
export type SolanaUserWallet = AnyWallet & { type: 'solana-mpc-wallet'; address: string }

/** A user's wallet, as the test service keeps it. */
export type TestUserWallet = EvmUserWallet | SolanaUserWallet

type AnyTransaction = {
  id: string
  status: TransactionStatus
  error?: TransactionError
  createdAtMs: number
  completedAtMs?: number
}

/** A transaction that a wallet on Solana signs as it is. */
export type MessageTransaction = AnyTransaction & {
  wallet: SolanaUserWallet
  params: SolanaMpcWalletParams
  /** The message to sign, in base58. */
  message: string
  /** The others who sign it. */
  signers: readonly string[]
  submitted: readonly SubmittedApproval[]
  /** The last block that can include it. */
  lastBlockHeight: bigint
  /** The reason for which a test wants it to fail on its chain. */
  failsWith?: string | undefined
  /** Its signature, once it is on its way to its chain. */
  sentAs?: string
}

/** A transaction of a wallet, as the test service keeps it. */
export type WalletTransaction = CallTransaction | MessageTransaction

/** What a wallet does on an EVM chain. */
export type CallTransaction = AnyTransaction & {
  wallet: EvmUserWallet
  chain: EvmChainName
  params: AskedParams
  calls: readonly EncodedCall[]
  /** Of a smart wallet: what is signed. */
  operation?: { operation: UserOperation; hash: Hex }
  submitted?: SubmittedApproval
  /** What a test wants it to revert with on its chain. */
  failsWith?: Hex
  /** The transaction on its chain, once it is on its way there. */
  sentAs?: Hex
}

/** Durations by the service's clock. @units milliseconds */
export type Timings = {
  /** From the wallet's answer until the payment is mined; for users' wallets, from the approval. */
  seenMs: number
  /**
   * From the block until a payment or a wallet's transaction is confirmed; from a refusal until its refund is
   * sent.
   */
  confirmedMs: number
  /** From the confirmation to the first delivery, and between deliveries. */
  deliveredMs: number
}

/** The reasons for which the next transactions of wallets fail, in order. */
export type TransactionFaults = {
  /** Faults in the simulation, before creation. */
  refused: (string | undefined)[]
  /** Faults on the chain. */
  failed: (string | undefined)[]
}

/** A payment that a buyer signed and the shop sent. */
export type TestAuthorization = {
  id: string
  /** What was signed. */
  content: string
  kind: AuthorizationKind
  payer: Address
  txId: Hex
  createdAtMs: number
}

/** An order, and what the test service knows of it. */
export type TestOrder = {
  order: OrderState
  clientSecret: string
  /** The events that the order's effects cause later. */
  due: { atMs: number; event: () => OrderEvent }[]
  /** The ids of the payments that the order was told of. */
  seen: Set<string>
  /** When its refunds were begun, by their ids. */
  refundedAtMs: Map<string, number>
  /** The transactions by which contracts paid. */
  contractTxIds: Set<string>
  /** The payments that its buyer signed and the shop sent. */
  authorizations: TestAuthorization[]
  /** The line items whose delivery a test makes fail. */
  failing: Set<number>
}

/** The state of a test service. */
export type TestWorld = {
  now(): number
  /** The EVM chains. */
  chains: TestChains
  solana: TestSolana
  enabled: readonly TestChainName[]
  collections: Map<string, StockedCollection>
  orders: Map<string, TestOrder>
  /** By their ids. */
  wallets: Map<string, TestUserWallet>
  /** Wallets' transactions by their ids, the oldest first. */
  transactions: Map<string, WalletTransaction>
  faults: TransactionFaults
  /** Tokens' metadata by their locators. */
  looks: Map<string, TokenLooks>
  timings: Timings
  quoteTtlMs: number
  /** The currencies in which the shop sends payments that their payers sign. */
  signedCurrencies: SignedCurrencies
}

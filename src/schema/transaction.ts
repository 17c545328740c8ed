import * as z from 'zod/mini'
import { except } from './except.js'
import { maybe } from './maybe.js'
import {
  type RevertType,
  type TransactionErrorReason,
  type TransactionStatus,
  walletTypes,
} from './members.js'
import { known, openObject } from './open.js'
import { readonlyList } from './readonlyList.js'

/** The call that reverted, with the chain's words and the decoded error. */
export const Revert = openObject({
  type: known<RevertType>(),
  reason: z.string(),
  /** The contract's revert data. */
  reasonData: maybe(z.string()),
  explorerLink: maybe(z.string()),
  simulationLink: maybe(z.string()),
})
export type Revert = z.infer<typeof Revert>

/** Why a transaction failed. `revert` is present for `execution_reverted`, `logs` for `program_error`. */
export const TransactionError = openObject({
  reason: known<TransactionErrorReason>(),
  message: maybe(z.string()),
  revert: maybe(Revert),
  logs: z.optional(z.unknown()),
})
export type TransactionError = z.infer<typeof TransactionError>

/** An approval to sign: `message` is 32 bytes in hex on EVM chains. */
export const PendingApproval = openObject({ signer: z.string(), message: z.string() })
export type PendingApproval = z.infer<typeof PendingApproval>

/** A signer's signature. */
export const SubmittedApproval = openObject({
  signer: z.string(),
  message: z.string(),
  signature: z.string(),
  /** ISO 8601. */
  submittedAt: maybe(z.union([z.string(), z.number()])),
  metadata: maybe(
    openObject({
      deviceInfo: maybe(z.string()),
      ipAddress: maybe(z.string()),
      userAgent: maybe(z.string()),
    }),
  ),
})
export type SubmittedApproval = z.infer<typeof SubmittedApproval>

/** A user operation of ERC-4337 as EntryPoint v0.8 has it. Numbers are `0x` and hex digits. */
export const UserOperation = openObject({
  sender: z.string(),
  nonce: z.string(),
  callData: z.string(),
  callGasLimit: z.string(),
  verificationGasLimit: z.string(),
  preVerificationGas: z.string(),
  maxFeePerGas: z.string(),
  maxPriorityFeePerGas: z.string(),
  /** `0x` until it is signed. */
  signature: z.string(),
  factory: maybe(z.string()),
  factoryData: maybe(z.string()),
  paymaster: maybe(z.string()),
  paymasterVerificationGasLimit: maybe(z.string()),
  paymasterPostOpGasLimit: maybe(z.string()),
  paymasterData: maybe(z.string()),
})
export type UserOperation = z.infer<typeof UserOperation>

/** The token that a transaction sends and its recipient, if it sends one. */
export const SentToken = openObject({
  /** A token locator. */
  token: maybe(z.string()),
  params: maybe(
    openObject({
      amount: maybe(z.string()),
      /** A locator. */
      recipient: maybe(z.string()),
      recipientAddress: maybe(z.string()),
    }),
  ),
})
export type SentToken = z.infer<typeof SentToken>

const common = {
  id: z.string(),
  status: known<TransactionStatus>(),
  /** Pending approvals expire after an hour. */
  approvals: maybe(
    openObject({
      pending: maybe(z.array(PendingApproval)),
      submitted: maybe(z.array(SubmittedApproval)),
      required: maybe(z.number()),
    }),
  ),
  /** ISO 8601; epoch milliseconds from some services. */
  createdAt: z.union([z.string(), z.number()]),
  /** When it became final. */
  completedAt: maybe(z.union([z.string(), z.number()])),
  error: maybe(TransactionError),
  sendParams: maybe(SentToken),
}

/** A transaction of a smart wallet on an EVM chain. */
export const EvmSmartWalletTransaction = openObject({
  walletType: z.literal('evm-smart-wallet'),
  ...common,
  params: openObject({
    calls: readonlyList(z.array(z.looseObject({}))),
    chain: z.string(),
    signer: maybe(z.string()),
  }),
  onChain: openObject({
    userOperation: UserOperation,
    userOperationHash: z.string(),
    /** The transaction that included the operation. */
    txId: maybe(z.string()),
    explorerLink: maybe(z.string()),
  }),
})
export type EvmSmartWalletTransaction = z.infer<typeof EvmSmartWalletTransaction>

/** A transaction of a custodial account on an EVM chain. */
export const EvmMpcWalletTransaction = openObject({
  walletType: z.literal('evm-mpc-wallet'),
  ...common,
  params: openObject({ call: z.looseObject({}), chain: z.string() }),
  onChain: openObject({
    call: openObject({ to: z.string(), data: z.string() }),
    txId: maybe(z.string()),
    explorerLink: maybe(z.string()),
  }),
})
export type EvmMpcWalletTransaction = z.infer<typeof EvmMpcWalletTransaction>

const solana = {
  ...common,
  params: openObject({
    transaction: z.string(),
    requiredSigners: maybe(readonlyList(z.array(z.string()))),
    signer: maybe(z.string()),
  }),
  onChain: openObject({
    transaction: z.string(),
    lastValidBlockHeight: maybe(z.number()),
    txId: maybe(z.string()),
    explorerLink: maybe(z.string()),
  }),
}

/** A transaction of a smart wallet on Solana. */
export const SolanaSmartWalletTransaction = openObject({
  walletType: z.literal('solana-smart-wallet'),
  ...solana,
})
export type SolanaSmartWalletTransaction = z.infer<typeof SolanaSmartWalletTransaction>

/** A transaction of a custodial account on Solana. */
export const SolanaMpcWalletTransaction = openObject({
  walletType: z.literal('solana-mpc-wallet'),
  ...solana,
})
export type SolanaMpcWalletTransaction = z.infer<typeof SolanaMpcWalletTransaction>

/**
 * A wallet type that this version does not know. At run time it is any other string; for the compiler it is
 * distinct from the known ones, so that `switch (transaction.walletType)` narrows.
 */
export type UnknownWalletType = `${string & { readonly isUnknownWalletType: true }}`

/** A transaction of a wallet of an unknown type, with the fields that all types have. */
export const OtherTransaction = openObject({
  walletType: except<UnknownWalletType>(walletTypes),
  ...common,
  params: openObject({ chain: maybe(z.string()) }),
  onChain: openObject({ txId: maybe(z.string()), explorerLink: maybe(z.string()) }),
})
export type OtherTransaction = z.infer<typeof OtherTransaction>

/**
 * A wallet's transaction on a chain. `walletType` selects the variant. One of an unknown type is kept, with
 * the fields that all have.
 *
 * @source interface.md "Wallet transaction"; answers.md "Wallets and transactions"
 */
export const Transaction = z.union([
  EvmSmartWalletTransaction,
  EvmMpcWalletTransaction,
  SolanaSmartWalletTransaction,
  SolanaMpcWalletTransaction,
  OtherTransaction,
])
export type Transaction = z.infer<typeof Transaction>

/** A page of a wallet's transactions. */
export const TransactionList = openObject({ transactions: z.array(Transaction) })
export type TransactionList = z.infer<typeof TransactionList>

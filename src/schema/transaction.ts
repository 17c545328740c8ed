import * as z from 'zod/mini'
import type { RevertType, TransactionErrorReason, TransactionStatus } from './members.js'
import { open } from './open.js'
import { readonlyList } from './readonlyList.js'

/** What a call did that reverted, in the chain's words and as it was decoded. */
export const Revert = z.looseObject({
  type: open<RevertType>(),
  reason: z.string(),
  /** The bytes that the contract answered with. */
  reasonData: z.optional(z.string()),
  explorerLink: z.optional(z.string()),
  simulationLink: z.optional(z.string()),
})
export type Revert = z.infer<typeof Revert>

/** Why a transaction failed. `revert` is there for `execution_reverted`, `logs` for `program_error`. */
export const TransactionError = z.looseObject({
  reason: open<TransactionErrorReason>(),
  message: z.optional(z.string()),
  revert: z.optional(Revert),
  logs: z.optional(z.unknown()),
})
export type TransactionError = z.infer<typeof TransactionError>

/** What a signer is to sign: `message` are 32 bytes in hex on EVM chains. */
export const PendingApproval = z.looseObject({ signer: z.string(), message: z.string() })
export type PendingApproval = z.infer<typeof PendingApproval>

/** What a signer has signed. */
export const SubmittedApproval = z.looseObject({
  signer: z.string(),
  message: z.string(),
  signature: z.string(),
  /** ISO 8601. */
  submittedAt: z.optional(z.union([z.string(), z.number()])),
  metadata: z.optional(
    z.looseObject({
      deviceInfo: z.optional(z.string()),
      ipAddress: z.optional(z.string()),
      userAgent: z.optional(z.string()),
    }),
  ),
})
export type SubmittedApproval = z.infer<typeof SubmittedApproval>

/** A user operation of ERC-4337 as EntryPoint v0.8 has it. Numbers are `0x` and hex digits. */
export const UserOperation = z.looseObject({
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
  factory: z.optional(z.string()),
  factoryData: z.optional(z.string()),
  paymaster: z.optional(z.string()),
  paymasterVerificationGasLimit: z.optional(z.string()),
  paymasterPostOpGasLimit: z.optional(z.string()),
  paymasterData: z.optional(z.string()),
})
export type UserOperation = z.infer<typeof UserOperation>

const common = {
  id: z.string(),
  status: open<TransactionStatus>(),
  /** Pending ones are waited for an hour. */
  approvals: z.optional(
    z.looseObject({
      pending: z.optional(z.array(PendingApproval)),
      submitted: z.optional(z.array(SubmittedApproval)),
      required: z.optional(z.number()),
    }),
  ),
  /** ISO 8601; epoch milliseconds from some services. */
  createdAt: z.union([z.string(), z.number()]),
  /** When it was final. */
  completedAt: z.optional(z.union([z.string(), z.number()])),
  error: z.optional(TransactionError),
  sendParams: z.optional(z.looseObject({})),
}

/** A transaction of a smart wallet on an EVM chain. */
export const EvmSmartWalletTransaction = z.looseObject({
  walletType: z.literal('evm-smart-wallet'),
  ...common,
  params: z.looseObject({
    calls: readonlyList(z.array(z.looseObject({}))),
    chain: z.string(),
    signer: z.optional(z.string()),
  }),
  onChain: z.looseObject({
    userOperation: UserOperation,
    userOperationHash: z.string(),
    /** The transaction that the operation landed in. */
    txId: z.optional(z.string()),
    explorerLink: z.optional(z.string()),
  }),
})
export type EvmSmartWalletTransaction = z.infer<typeof EvmSmartWalletTransaction>

/** A transaction of a custodial account on an EVM chain. */
export const EvmMpcWalletTransaction = z.looseObject({
  walletType: z.literal('evm-mpc-wallet'),
  ...common,
  params: z.looseObject({ call: z.looseObject({}), chain: z.string() }),
  onChain: z.looseObject({
    call: z.looseObject({ to: z.string(), data: z.string() }),
    txId: z.optional(z.string()),
    explorerLink: z.optional(z.string()),
  }),
})
export type EvmMpcWalletTransaction = z.infer<typeof EvmMpcWalletTransaction>

const solana = {
  ...common,
  params: z.looseObject({
    transaction: z.string(),
    requiredSigners: z.optional(readonlyList(z.array(z.string()))),
    signer: z.optional(z.string()),
  }),
  onChain: z.looseObject({
    transaction: z.string(),
    lastValidBlockHeight: z.optional(z.number()),
    txId: z.optional(z.string()),
    explorerLink: z.optional(z.string()),
  }),
}

/** A transaction of a smart wallet on Solana. */
export const SolanaSmartWalletTransaction = z.looseObject({
  walletType: z.literal('solana-smart-wallet'),
  ...solana,
})
export type SolanaSmartWalletTransaction = z.infer<typeof SolanaSmartWalletTransaction>

/** A transaction of a custodial account on Solana. */
export const SolanaMpcWalletTransaction = z.looseObject({
  walletType: z.literal('solana-mpc-wallet'),
  ...solana,
})
export type SolanaMpcWalletTransaction = z.infer<typeof SolanaMpcWalletTransaction>

/**
 * Something that a wallet does on a chain. `walletType` says which of the variants it is.
 *
 * @source interface.md "Wallet transaction"; answers.md "Wallets and transactions"
 */
export const Transaction = z.union([
  EvmSmartWalletTransaction,
  EvmMpcWalletTransaction,
  SolanaSmartWalletTransaction,
  SolanaMpcWalletTransaction,
])
export type Transaction = z.infer<typeof Transaction>

/** A page of a wallet's transactions. */
export const TransactionList = z.looseObject({ transactions: z.array(Transaction) })
export type TransactionList = z.infer<typeof TransactionList>

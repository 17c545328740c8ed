import * as z from 'zod/mini'
import { evmAddress, scalar } from './hex.js'
import { transactionChains } from './members.js'
import { readonlyList } from './readonlyList.js'

/** Nodes take no transaction of more than 128 KiB. */
const bytes = z
  .string()
  .check(
    z.regex(/^0x([0-9a-fA-F]{2})*$/, 'expected 0x and whole bytes in hex'),
    z.maxLength(2 + 2 * 128 * 1024, 'expected at most 128 KiB'),
  )
/** An amount of the native currency. */
const wei = z.string().check(z.regex(/^(0|[1-9]\d{0,77})$/, 'expected an amount of wei, a decimal integer'))
const chain = z.enum(transactionChains, `expected one of ${transactionChains.join(', ')}`)
const signerLocator = z
  .string()
  .check(z.minLength(1, 'expected a signer locator'), z.maxLength(600, 'too long'))
const signer = z.optional(signerLocator)

/** One entry of a contract's ABI. */
export const AbiEntry = z.looseObject({
  type: z.enum(
    ['error', 'event', 'function', 'constructor', 'fallback', 'receive'],
    'expected error, event, function, constructor, fallback or receive',
  ),
  stateMutability: z.optional(
    z.enum(['pure', 'view', 'nonpayable', 'payable'], 'expected pure, view, nonpayable or payable'),
  ),
})
export type AbiEntry = z.infer<typeof AbiEntry>

/** A call of a contract's function, by the contract's ABI. */
export const ContractCall = z.strictObject({
  address: evmAddress,
  functionName: z
    .string()
    .check(z.minLength(1, 'expected the name of a function'), z.maxLength(1_000, 'too long')),
  abi: readonlyList(
    z.array(AbiEntry).check(z.minLength(1, 'expected at least one entry'), z.maxLength(1000, 'too many')),
  ),
  args: readonlyList(z.array(z.unknown())),
  value: z.optional(wei),
})
export type ContractCall = z.infer<typeof ContractCall>

/** A call with encoded data. */
export const DirectCall = z.strictObject({ to: evmAddress, value: wei, data: bytes })
export type DirectCall = z.infer<typeof DirectCall>

/** A whole transaction, of which the recipient, value and data are used. An order's own is one. */
export const SerializedCall = z.strictObject({ transaction: bytes })
export type SerializedCall = z.infer<typeof SerializedCall>

/** One call of a smart wallet, in any of its three forms. */
export const TransactionCall = z.union(
  [ContractCall, DirectCall, SerializedCall],
  'expected {address, functionName, abi, args}, {to, value, data} or {transaction}',
)
export type TransactionCall = z.infer<typeof TransactionCall>

/** The transaction of a smart wallet on an EVM chain: all of its calls, or none. */
export const EvmSmartWalletParams = z.strictObject({
  calls: readonlyList(
    z
      .array(TransactionCall)
      .check(z.minLength(1, 'expected at least 1 call'), z.maxLength(50, 'expected at most 50 calls')),
  ),
  chain,
  signer,
})
export type EvmSmartWalletParams = z.infer<typeof EvmSmartWalletParams>

/** The transaction of a custodial account on an EVM chain. */
export const EvmMpcWalletParams = z.strictObject({
  call: z.union(
    [ContractCall, z.strictObject({ to: evmAddress, data: bytes, value: z.optional(wei) })],
    'expected {address, functionName, abi, args} or {to, data}',
  ),
  chain,
})
export type EvmMpcWalletParams = z.infer<typeof EvmMpcWalletParams>

/** The transaction of a smart wallet on Solana. */
export const SolanaSmartWalletParams = z.strictObject({
  transaction: z.string().check(z.maxLength(1_700, 'too long')),
  signer,
})
export type SolanaSmartWalletParams = z.infer<typeof SolanaSmartWalletParams>

/**
 * The transaction of a custodial account on Solana: base58 of a whole transaction without signatures, and who signs
 * it beside the wallet.
 */
export const SolanaMpcWalletParams = z.strictObject({
  transaction: z
    .string()
    .check(z.minLength(1, 'expected a transaction in base58'), z.maxLength(1700, 'too long')),
  requiredSigners: z.optional(
    readonlyList(
      z
        .array(z.string().check(z.maxLength(600, 'too long')))
        .check(z.maxLength(10, 'expected at most 10 signers')),
    ),
  ),
})
export type SolanaMpcWalletParams = z.infer<typeof SolanaMpcWalletParams>

/**
 * A client's request to create a transaction. The wallet's type decides which of the four `params` it takes.
 *
 * @source interface.md "Create transaction"; answers.md "Wallets and transactions"
 */
export const CreateTransactionBody = z.object({
  params: z.union([EvmSmartWalletParams, EvmMpcWalletParams, SolanaSmartWalletParams, SolanaMpcWalletParams]),
})
export type CreateTransactionBody = z.infer<typeof CreateTransactionBody>

/** An account's signature: `signature` is 65 bytes over the message (EIP-191). */
export const KeypairApproval = z.strictObject({
  signer: signerLocator,
  signature: bytes,
})

/** The signature of an account on Solana: base58 of 64 bytes over the message. */
export const SolanaApproval = z.strictObject({
  signer: signerLocator,
  signature: z.string().check(z.regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/, 'expected a signature in base58')),
})
export type SolanaApproval = z.infer<typeof SolanaApproval>

/** A passkey's signature (WebAuthn): `authenticatorData` is hex, `clientDataJSON` the text itself. */
export const PasskeyApproval = z.strictObject({
  signer: signerLocator,
  signature: z.object({ r: scalar, s: scalar }),
  metadata: z.object({
    authenticatorData: bytes,
    clientDataJSON: z.string().check(z.maxLength(4096, 'expected 4096 characters or fewer')),
    challengeIndex: z.optional(z.number()),
    typeIndex: z.optional(z.number()),
    userVerificationRequired: z.optional(z.boolean()),
  }),
})

/** A signer's approval of a transaction. */
export const Approval = z.union(
  [KeypairApproval, PasskeyApproval],
  'expected {signer, signature}, for a passkey with the signature {r, s} and its metadata',
)
export type Approval = z.infer<typeof Approval>

/**
 * A client's request to approve a transaction.
 *
 * @source answers.md "Wallets and transactions"
 */
export const ApproveTransactionBody = z.object({
  approvals: z
    .array(Approval)
    .check(z.minLength(1, 'expected at least 1 approval'), z.maxLength(10, 'expected at most 10 approvals')),
})
export type ApproveTransactionBody = z.infer<typeof ApproveTransactionBody>

import {
  type Address,
  concatHex,
  type Hex,
  hexToBigInt,
  hexToNumber,
  isAddressEqual,
  isHex,
  numberToHex,
  recoverMessageAddress,
  size,
  slice,
} from 'viem'
import * as z from 'zod/mini'
import { readPasskeyApproval } from '../../../engine/evm/readPasskeyApproval.js'
import type { SubmittedApproval } from '../../../schema/transaction.js'
import {
  type Approval,
  ApproveTransactionBody,
  KeypairApproval,
  PasskeyApproval,
} from '../../../schema/transactionInput.js'
import { standInAccount } from '../../standInAccount.js'
import { badInput, HttpError, readInput } from '../httpError.js'
import type { Answer } from '../orders.js'
import type { TestWorld } from '../testWorld.js'
import { requireTestWallet } from './findTestWallet.js'
import { isSameSigner } from './isSameSigner.js'
import { readAddress } from './readAddress.js'
import { requireTransaction } from './readTransactions.js'
import { sendTransaction } from './sendTransaction.js'
import type { TestSigner } from './testUserWallet.js'
import { viewWalletTransaction, type WalletTransaction } from './walletTransaction.js'

/** A signature as a wallet's contract takes it, or why it is none of the signer's over the message. */
type ReadApproval = { signature: Hex } | { fault: string }

/** Half the order of secp256k1. Of the two `s` that make a signature of one message, wallets take the smaller. */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

const isOf = (signer: Address, address: Address): boolean =>
  isAddressEqual(signer, address) || isAddressEqual(signer, standInAccount(address).address)

const readAccountApproval = async (
  address: Address,
  message: Hex,
  signature: string,
): Promise<ReadApproval> => {
  if (!isHex(signature) || size(signature) !== 65) return { fault: 'expected 65 bytes in hex' }
  const last = hexToNumber(slice(signature, 64))
  const parity = last >= 27 ? last - 27 : last
  if (parity > 1) return { fault: 'its last byte is neither 27 nor 28' }
  if (hexToBigInt(slice(signature, 32, 64)) > halfOrder)
    return { fault: 's is not the smaller one of the two that are possible' }
  const written = concatHex([slice(signature, 0, 64), numberToHex(27 + parity)])
  const signer = await recoverMessageAddress({ message: { raw: message }, signature: written }).catch(
    () => undefined,
  )
  return signer && isOf(signer, address)
    ? { signature: written }
    : { fault: 'it is not the signature of this signer over this message' }
}

/**
 * Checks what a signer has signed, as the service does: an account's signature, or a passkey's. That a test's wallet
 * has no key of its address is looked over: its stand-in signs.
 */
const readApproval = async (
  { address, publicKey }: TestSigner,
  message: Hex,
  approval: Approval,
): Promise<ReadApproval> => {
  if (!publicKey)
    return typeof approval.signature === 'string'
      ? readAccountApproval(readAddress('signer', address ?? ''), message, approval.signature)
      : { fault: 'expected the signature of an account, 65 bytes in hex' }
  return 'metadata' in approval && typeof approval.signature !== 'string'
    ? readPasskeyApproval(publicKey, message, { ...approval, signature: approval.signature })
    : { fault: 'expected {r, s} of a passkey, with its metadata' }
}

/** A body before the signatures in it say whose they are. */
const AnyApprovals = z.object({
  approvals: z
    .array(z.unknown())
    .check(z.minLength(1, 'expected at least 1 approval'), z.maxLength(10, 'expected at most 10 approvals')),
})
const Signed = z.object({ signature: z.looseObject({}) })

/** The shape that an approval is meant to have: so that its faults are named by its own fields. */
const shapeOf = (approval: unknown): z.ZodMiniType =>
  z.safeParse(Signed, approval).success ? PasskeyApproval : KeypairApproval

/**
 * Reads what signers have signed: an account’s signature is a text, a passkey’s has two numbers.
 *
 * @throws {@link HttpError} naming the field.
 * @source answers.md "Wallets and transactions"
 */
const readApprovals = (body: unknown): ApproveTransactionBody => {
  const [first = KeypairApproval, ...rest] = readInput(AnyApprovals, body, 'body').approvals.map(shapeOf)
  readInput(z.object({ approvals: z.tuple([first, ...rest]) }), body, 'body')
  return readInput(ApproveTransactionBody, body, 'body')
}

/** The one approval that a wallet with one signer takes. */
const readSigner = ({ approvals }: ApproveTransactionBody, signer: string): Approval => {
  for (const [at, approval] of approvals.entries()) {
    if (isSameSigner(approval.signer, signer)) continue
    throw badInput(`approvals[${at}].signer: not a signer of this transaction (${signer} is)`)
  }
  const [approval, second] = approvals
  if (second) throw badInput(`approvals[1].signer: ${signer} approves once`)
  if (!approval) throw badInput('approvals: expected at least 1 approval')
  return approval
}

/** @returns What is to be signed. */
const assertNeeded = ({ status, operation, wallet }: WalletTransaction) => {
  if (!operation || wallet.custodian)
    throw new HttpError(422, 'The service signs for this wallet: no approval is needed')
  if (status === 'awaiting-approval' || status === 'pending') return operation
  throw new HttpError(422, `The transaction is over (${status}): no approval is needed any more`)
}

const assertAwaited = ({ now }: TestWorld, { status, deadlineMs }: WalletTransaction): void => {
  if (status !== 'awaiting-approval')
    throw new HttpError(409, 'approvals[0].signer: has submitted its approval already')
  if (deadlineMs === undefined || now() < deadlineMs) return
  const until = new Date(deadlineMs).toISOString()
  throw new HttpError(422, `The approval comes too late (${until}): create another transaction`)
}

const describeCaller = (userAgent: string | undefined): SubmittedApproval['metadata'] => {
  const [, deviceInfo] = /\(([^)]{1,200})\)/.exec(userAgent ?? '') ?? []
  return {
    ...(deviceInfo !== undefined && { deviceInfo }),
    ipAddress: 'unknown',
    ...(userAgent && { userAgent }),
  }
}

/** What is approved, and by whom it is asked for. */
export type ApprovalCall = {
  walletLocator: string
  transactionId: string
  body: unknown
  userAgent: string | undefined
}

/** Takes a signer's approval of a transaction, and sends it. */
export const approveWalletTransaction = async (
  world: TestWorld,
  { walletLocator, transactionId, body, userAgent }: ApprovalCall,
): Promise<Answer> => {
  const wallet = requireTestWallet(world, walletLocator)
  const transaction = requireTransaction(world, wallet, transactionId)
  const approvals = readApprovals(body)
  const { operation, hash } = assertNeeded(transaction)
  const { locator: signer } = wallet.adminSigner
  const approval = readSigner(approvals, signer)
  assertAwaited(world, transaction)
  const read = await readApproval(wallet.adminSigner, hash, approval)
  if ('fault' in read) throw badInput(`approvals[0].signature: ${read.fault}`)
  // Another may have come meanwhile.
  assertNeeded(transaction)
  assertAwaited(world, transaction)
  const { signature } = read
  const submittedAt = new Date(world.now()).toISOString()
  const metadata = describeCaller(userAgent)
  transaction.operation = { hash, operation: { ...operation, signature } }
  transaction.submitted = { signer, message: hash, signature, submittedAt, metadata }
  sendTransaction(world, transaction)
  return { status: 201, body: viewWalletTransaction(transaction) }
}

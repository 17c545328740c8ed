import type { SubmittedApproval } from '../../schema/transaction.js'
import type { TransactionStatus } from '../../schema/walletMembers.js'
import { invalid } from '../invalidInput.js'
import { Refusal } from '../refusal.js'
import { readMessageApprovals } from './readApprovals.js'
import { isSameSigner } from './signer.js'
import { givenBefore } from './signerApproval.js'

/** Returns the locator of an account of Solana as a signer. */
export const toSigner = (address: string): string => `solana-keypair:${address}`

const field = 'params.requiredSigners'

/**
 * Checks that the caller names exactly the other signers of a transaction.
 *
 * @throws {@link InvalidInput} naming the signer that is missing or does not sign.
 */
export const assertSigners = (given: readonly string[], signers: readonly string[]): void => {
  const named = given.map((locator) => locator.replace(/^solana-keypair:/, ''))
  const missing = signers.find((address) => !named.includes(address))
  if (missing !== undefined) {
    throw invalid(field, `expected ${toSigner(missing)}, who signs this transaction too`)
  }
  for (const [at, address] of named.entries()) {
    if (signers.includes(address) && named.indexOf(address) === at) continue
    throw invalid(`${field}[${at}]`, `${given[at]} does not sign this transaction`)
  }
}

/** A message, and the addresses that sign it beside the wallet. */
type SignedMessage = { message: string; signers: readonly string[] }

type Signature = { address: string; signature: string }

/**
 * Reads approvals of a message, and verifies their signatures.
 *
 * @param isSignature - Whether a signature of the message is by the key of an address.
 * @throws {@link InvalidInput} naming the approval.
 */
export const readSignatures = async (
  body: unknown,
  { message, signers }: SignedMessage,
  isSignature: (given: Signature & { message: string }) => Promise<boolean>,
): Promise<Signature[]> => {
  const given: Signature[] = []
  for (const [at, { signer, signature }] of readMessageApprovals(body).approvals.entries()) {
    const address = signers.find((each) => isSameSigner(toSigner(each), signer) || each === signer)
    if (address === undefined || given.some((before) => before.address === address)) {
      const named = signers.map(toSigner).join(', ')
      const fault =
        address === undefined ? `not a signer of this transaction (${named})` : 'can approve only once'
      throw invalid(`approvals[${at}].signer`, fault)
    }
    if (!(await isSignature({ address, message, signature }))) {
      throw invalid(`approvals[${at}].signature`, `not a signature of the message by ${address}`)
    }
    given.push({ address, signature })
  }
  return given
}

/**
 * Refuses approvals of a message that awaits none.
 *
 * @throws {@link Refusal} `unprocessable`.
 */
export const assertSignaturesAwaited = (status: TransactionStatus): void => {
  if (status === 'awaiting-approval') return
  throw new Refusal('unprocessable', `The transaction no longer awaits approval (${status})`)
}

/** A message with the approvals that were submitted before. */
type AwaitedMessage = SignedMessage & { submitted: readonly SubmittedApproval[] }

/**
 * Adds signatures to the submitted approvals of a message.
 *
 * @throws {@link Refusal} `conflict` if a signer has approved before.
 */
export const addSignatures = (
  { message, submitted, signers }: AwaitedMessage,
  given: readonly Signature[],
  terms: Pick<SubmittedApproval, 'submittedAt' | 'metadata'>,
): { submitted: SubmittedApproval[]; isComplete: boolean } => {
  const added = given.map(({ address, signature }, at): SubmittedApproval => {
    const signer = toSigner(address)
    if (submitted.some((before) => before.signer === signer)) throw givenBefore(at)
    return { signer, message, signature, ...terms }
  })
  const all = [...submitted, ...added]
  return { submitted: all, isComplete: all.length === signers.length }
}

import { type InvalidInput, invalid } from '../invalidInput.js'

/** For how many blocks a blockhash of Solana can be used. */
export const blockhashLifetime = 150n

/** Returns the refusal of bytes that are no transaction of Solana. */
export const noTransaction = (field: string): InvalidInput =>
  invalid(field, 'expected a serialized transaction in base58, of version 0 or a legacy one')

/** Returns the refusal of a transaction that no block can include any more. */
export const blockhashExpired = (field: string): InvalidInput =>
  invalid(field, 'its blockhash has expired: use a recent one')

/** The error of a transaction whose blockhash expired before its signers approved it. */
export const approvedTooLate = {
  reason: 'failed_to_land_on_chain',
  message: 'The transaction was not approved before its blockhash expired',
} as const

/** A transaction that a wallet is asked to sign as it is. */
type AskedMessage = {
  /** Whether it has a signature already. */
  isSigned: boolean
  /** Its message; undefined if that is of an unknown version. */
  message:
    | {
        hasLookupTables: boolean
        /** The accounts that sign it, the one that pays its fee first. */
        signers: readonly string[]
        /** Whether it advances a durable nonce. Asked only of a message without lookup tables. */
        usesNonce(): boolean
      }
    | undefined
}

/**
 * Reads who signs a transaction beside the wallet, and refuses a transaction that the service cannot send.
 *
 * @param wallet - The address of the wallet.
 * @throws {@link InvalidInput} naming the field.
 */
export const readOtherSigners = (
  field: string,
  { isSigned, message }: AskedMessage,
  wallet: string,
): readonly string[] => {
  if (isSigned) throw invalid(field, 'expected a transaction without signatures: signers approve it here')
  if (!message) throw invalid(field, 'expected a message of version 0, or a legacy one')
  if (message.hasLookupTables)
    throw invalid(field, 'expected a transaction without lookup tables, which hide its accounts')
  const [feePayer, ...others] = message.signers
  if (feePayer !== wallet) throw invalid(field, `expected the fee payer ${wallet}, not ${feePayer}`)
  if (message.usesNonce())
    throw invalid(field, 'expected a recent blockhash, not a durable nonce, with which it would not expire')
  return others
}

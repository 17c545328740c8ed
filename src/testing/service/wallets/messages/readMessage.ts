import { decodeMessage, type Message } from '../../../../chain/solana/message.js'
import { programs } from '../../../../engine/solana/orderAccounts.js'
import { readTransaction } from '../../../../chain/solana/transaction.js'
import { readInteger } from '../../../../chain/solana/transfer.js'
import { invalid } from '../../../../engine/invalidInput.js'
import { decodeBase58, encodeBase58 } from '../../../../engine/solana/base58.js'

/** A transaction that a wallet is to sign as it is. */
export type AskedMessage = {
  message: Message
  /** The message to sign, in base58. */
  text: string
  /** The others who sign it. */
  signers: readonly string[]
}

const decode = (field: string, bytes: Uint8Array): Message => {
  try {
    return decodeMessage(bytes)
  } catch (error) {
    // An instruction that names an account of a lookup table names one that the message does not list.
    if (error instanceof RangeError && /lookup table|does not list/.test(error.message))
      throw invalid(field, 'expected a transaction without lookup tables, which hide its accounts')
    throw invalid(field, 'expected a message of version 0, or a legacy one')
  }
}

const advanceNonce = 4n

/** Whether a transaction advances a durable nonce. It would not expire then. */
const usesNonce = ({ instructions }: Message): boolean =>
  instructions.some(
    ({ program, data }) => program === programs.system && readInteger(data, 0, 4) === advanceNonce,
  )

/** The count of signers is in the first byte of a legacy message, and in the second one of others. */
const countSigners = ([first = 0, second = 0]: Uint8Array): number => (first < 128 ? first : second)

/**
 * Reads the transaction that a wallet is to sign.
 *
 * @throws {@link InvalidInput} naming the field.
 */
export const readMessage = (field: string, transaction: string, wallet: string): AskedMessage => {
  const { message: bytes, signatures } = readTransaction(decodeBase58(transaction) ?? new Uint8Array()) ?? {}
  if (!bytes || !signatures || countSigners(bytes) !== signatures.length)
    throw invalid(field, 'expected a serialized transaction in base58, of version 0 or a legacy one')
  if (signatures.some((signature) => signature.some((byte) => byte > 0)))
    throw invalid(field, 'expected a transaction without signatures: signers approve it here')
  const message = decode(field, bytes)
  const [feePayer, ...signers] = message.signers
  if (feePayer !== wallet) throw invalid(field, `expected the fee payer ${wallet}, not ${feePayer}`)
  if (usesNonce(message))
    throw invalid(field, 'expected a recent blockhash, not a durable nonce, with which it would not expire')
  return { message, text: encodeBase58(bytes), signers }
}

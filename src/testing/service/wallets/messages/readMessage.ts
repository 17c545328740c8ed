import { decodeMessage, type Message } from '../../../../chain/solana/message.js'
import { readTransaction } from '../../../../chain/solana/transaction.js'
import { readInteger } from '../../../../chain/solana/transfer.js'
import { decodeBase58, encodeBase58 } from '../../../../engine/solana/base58.js'
import { programs } from '../../../../engine/solana/orderAccounts.js'
import { noTransaction, readOtherSigners } from '../../../../engine/wallet/askedMessage.js'

/** A transaction that a wallet is to sign as it is. */
export type AskedMessage = {
  message: Message
  /** The message to sign, in base58. */
  text: string
  /** The others who sign it. */
  signers: readonly string[]
}

/** Decodes a message. Returns `lookup-tables` for one whose accounts these hide, and undefined for another version. */
const decode = (bytes: Uint8Array): Message | 'lookup-tables' | undefined => {
  try {
    return decodeMessage(bytes)
  } catch (error) {
    // An instruction that names an account of a lookup table names one that the message does not list.
    const isHidden = error instanceof RangeError && /lookup table|does not list/.test(error.message)
    return isHidden ? 'lookup-tables' : undefined
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
  if (!bytes || !signatures || countSigners(bytes) !== signatures.length) throw noTransaction(field)
  const decoded = decode(bytes)
  const message = typeof decoded === 'string' ? undefined : decoded
  const signers = readOtherSigners(
    field,
    {
      isSigned: signatures.some((signature) => signature.some((byte) => byte > 0)),
      message: decoded && {
        hasLookupTables: decoded === 'lookup-tables',
        signers: message?.signers ?? [],
        usesNonce: () => message !== undefined && usesNonce(message),
      },
    },
    wallet,
  )
  if (!message) throw noTransaction(field)
  return { message, text: encodeBase58(bytes), signers }
}

import { encodeBase58 } from '../../solana/base58'

/** One instruction of a message. Its accounts are addresses. */
export type Instruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A message to sign: those who sign it, in the order of their signatures, and what it does. */
export type Message = { signers: readonly string[]; instructions: readonly Instruction[] }

const addressLength = 32
const versionMark = 128

/**
 * Reads the message of a transaction.
 *
 * @throws RangeError when it is cut short.
 */
export const readMessage = (bytes: Uint8Array): Message => {
  let at = 0
  const take = (length: number): Uint8Array => {
    at += length
    if (at > bytes.length) throw new RangeError('The message is cut short.')
    return bytes.subarray(at - length, at)
  }
  const byte = (): number => take(1)[0] ?? 0
  // Lengths are written in groups of seven bits, the lowest first.
  const length = (): number => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const group = byte()
      value += (group & 127) << shift
      if (group < 128) return value
    }
  }
  const list = <Item>(read: () => Item): Item[] => Array.from({ length: length() }, read)

  if ((bytes[0] ?? 0) >= versionMark) byte()
  const signerCount = byte()
  take(2)
  const addresses = list(() => encodeBase58(take(addressLength)))
  // The recent blockhash.
  take(addressLength)
  const find = (index: number): string => addresses[index] ?? ''
  const instructions = list(() => ({
    program: find(byte()),
    accounts: list(() => find(byte())),
    data: take(length()),
  }))
  return { signers: addresses.slice(0, signerCount), instructions }
}

const signatureLength = 64

/** Finds where the message of a transaction begins: behind its signatures. */
export const findMessageStart = (transaction: Uint8Array): number =>
  1 + (transaction[0] ?? 0) * signatureLength

/** Writes a signature into its place in a copy of a transaction. */
export const insertSignature = (
  transaction: Uint8Array,
  index: number,
  signature: Uint8Array,
): Uint8Array => {
  const signed = Uint8Array.from(transaction)
  signed.set(signature, 1 + index * signatureLength)
  return signed
}

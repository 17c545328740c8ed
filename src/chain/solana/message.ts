import { encodeBase58 } from '../../engine/solana/base58.js'

/** One instruction of a message. Its accounts are addresses. */
export type Instruction = { program: string; accounts: readonly string[]; data: Uint8Array }

/** A message to sign, decoded: of version 0 without lookup tables, or a legacy one. */
export type Message = {
  /** Those who sign, the fee payer first. */
  signers: readonly string[]
  /** All accounts that it lists: those who sign, then the others and the programs. */
  accounts: readonly string[]
  blockhash: string
  instructions: readonly Instruction[]
}

class Reader {
  at = 0
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new RangeError('it ends too early')
    return byte
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new RangeError('it ends too early')
    this.at += length
    return this.bytes.slice(this.at - length, this.at)
  }

  /** A length in one to three bytes, of seven bits each. Only the shortest form counts. */
  length(): number {
    let value = 0
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.byte()
      value |= (byte & 127) << shift
      if (byte === 0 && shift > 0) throw new RangeError('it encodes a length in more bytes than needed')
      if (byte < 128) return value
    }
    throw new RangeError('it encodes a length in more than three bytes')
  }

  list<Item>(read: () => Item): Item[] {
    return Array.from({ length: this.length() }, read)
  }
}

const versionMark = 128

const readVersion = (reader: Reader): void => {
  const [first = 0] = reader.bytes
  if (first < versionMark) return
  reader.byte()
  if (first !== versionMark) throw new RangeError(`its version ${first - versionMark} is not known`)
}

/**
 * Decodes the message of a transaction.
 *
 * @throws {RangeError} that says in a few words what is wrong.
 */
export const decodeMessage = (bytes: Uint8Array): Message => {
  const reader = new Reader(bytes)
  readVersion(reader)
  const isVersioned = reader.at > 0
  const signerCount = reader.byte()
  // How many of the signers, and of the others, are only read. What is written follows from the instructions.
  const readonlySigners = reader.byte()
  reader.byte()
  const addresses = reader.list(() => encodeBase58(reader.take(32)))
  if (signerCount < 1 || signerCount > addresses.length || readonlySigners >= signerCount) {
    throw new RangeError('its header does not fit its accounts')
  }
  if (new Set(addresses).size < addresses.length) throw new RangeError('it lists an account twice')
  const blockhash = encodeBase58(reader.take(32))
  const find = (index: number): string => {
    const address = addresses[index]
    if (address === undefined) throw new RangeError('it names an account that it does not list')
    return address
  }
  const instructions = reader.list(() => ({
    program: find(reader.byte()),
    accounts: reader.list(() => find(reader.byte())),
    data: reader.take(reader.length()),
  }))
  if (isVersioned && reader.length() > 0) throw new RangeError('it takes accounts from a lookup table')
  if (reader.at !== bytes.length) throw new RangeError('extra bytes follow it')
  return { signers: addresses.slice(0, signerCount), accounts: addresses, blockhash, instructions }
}

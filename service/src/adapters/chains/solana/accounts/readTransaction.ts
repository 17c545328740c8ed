import {
  decompileTransactionMessage,
  getBase58Decoder,
  getBase58Encoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type Transaction,
} from '@solana/kit'
import { identifySystemInstruction, SYSTEM_PROGRAM_ADDRESS, SystemInstruction } from '@solana-program/system'
import { noTransaction, readOtherSigners } from 'kassa/engine'
import { checkInput, toServiceError } from '#base/errors.js'
import type { ReadMessage } from '#base/ports/messages.js'

/** Decodes a transaction in base58. */
export const decode = (field: string, text: string): Transaction => {
  try {
    const transaction = getTransactionDecoder().decode(getBase58Encoder().encode(text))
    const encoded = getTransactionEncoder().encode(transaction)
    // A decoder ignores what follows.
    if (getBase58Decoder().decode(encoded) === text) return transaction
  } catch {
    // Said below.
  }
  throw toServiceError(noTransaction(field))
}

type Compiled = ReturnType<ReturnType<typeof getCompiledTransactionMessageDecoder>['decode']>

/** Decodes a message, or returns `undefined` for another version, or bytes that do not end with it. */
const decodeMessage = (bytes: Transaction['messageBytes']): Exclude<Compiled, { version: 1 }> | undefined => {
  try {
    const compiled = getCompiledTransactionMessageDecoder().decode(bytes)
    if (compiled.version === 1) return undefined
    const encoded = getCompiledTransactionMessageEncoder().encode(compiled)
    return Buffer.compare(Uint8Array.from(encoded), Uint8Array.from(bytes)) === 0 ? compiled : undefined
  } catch {
    return undefined
  }
}

const isNonceAdvance = ({ programAddress, data, accounts }: Instruction): boolean => {
  if (programAddress !== SYSTEM_PROGRAM_ADDRESS || !data || !accounts) return false
  try {
    const kind = identifySystemInstruction({ data: Uint8Array.from(data) })
    return kind === SystemInstruction.AdvanceNonceAccount
  } catch {
    return false
  }
}

/** Reads a transaction that signers of a wallet are to approve, and refuses those that the service cannot send. */
export const readTransaction = (field: string, text: string, wallet: string): ReadMessage => {
  const { messageBytes, signatures } = decode(field, text)
  const compiled = decodeMessage(messageBytes)
  const message = compiled && {
    hasLookupTables: 'addressTableLookups' in compiled && Boolean(compiled.addressTableLookups?.length),
    signers: compiled.staticAccounts.slice(0, compiled.header.numSignerAccounts),
    usesNonce: () => {
      const instructions: readonly Instruction[] = decompileTransactionMessage(compiled).instructions
      return instructions.some(isNonceAdvance)
    },
  }
  const isSigned = Object.values(signatures).some((signature) => signature?.some((byte) => byte > 0))
  return {
    transaction: text,
    message: getBase58Decoder().decode(messageBytes),
    signers: checkInput(() => readOtherSigners(field, { isSigned, message }, wallet)),
  }
}

import { type Address, getBase58Decoder } from '@solana/kit'
import { parseAssociatedToken } from './parsers/associatedToken.js'
import { parseMemo } from './parsers/memo.js'
import type { ParseInstruction } from './parsers/parser.js'
import { parseSystem } from './parsers/system.js'
import { parseToken } from './parsers/token.js'

const parsers: Readonly<Record<string, { program: string; parse: ParseInstruction }>> = {
  '11111111111111111111111111111111': { program: 'system', parse: parseSystem },
  TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA: { program: 'spl-token', parse: parseToken },
  // A node names both token programs alike in transactions.
  TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb: { program: 'spl-token', parse: parseToken },
  ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL: {
    program: 'spl-associated-token-account',
    parse: parseAssociatedToken,
  },
  Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo: { program: 'spl-memo', parse: parseMemo },
  MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr: { program: 'spl-memo', parse: parseMemo },
}

/** An instruction with its accounts in place of their indexes. */
type ResolvedInstruction = {
  programId: Address
  accounts: Address[]
  data: Uint8Array
  stackHeight: number
}

const tryParse = ({ programId, accounts, data }: ResolvedInstruction) => {
  const parser = Object.hasOwn(parsers, programId) ? parsers[programId] : undefined
  if (!parser) return undefined
  try {
    const parsed = parser.parse(accounts, data)
    return parsed === undefined ? undefined : { program: parser.program, parsed }
  } catch {
    // Bytes that are too short are shown as they are.
    return undefined
  }
}

/** Shows an instruction as `jsonParsed` does: in words if its program is known, in base58 otherwise. */
export const showParsedInstruction = (instruction: ResolvedInstruction) => {
  const { programId, accounts, data, stackHeight } = instruction
  const known = tryParse(instruction)
  if (known) return { ...known, programId, stackHeight }
  return { programId, accounts, data: getBase58Decoder().decode(data), stackHeight }
}

import type { Address, Decoder } from '@solana/kit'

/** An instruction in words. That of a memo is its text. */
export type ParsedInstruction = string | { type: string; info: Readonly<Record<string, unknown>> }

/** Parses an instruction, or returns `undefined` if it is unknown. Throws if its data is too short. */
export type ParseInstruction = (
  accounts: readonly Address[],
  data: Uint8Array,
) => ParsedInstruction | undefined

/** How an instruction is written: its name, those of its accounts in their order, and the rest of its data. */
export type InstructionShape = {
  type: string
  accounts: readonly string[]
  data?: Decoder<Record<string, unknown>>
}

/** Names the accounts of an instruction. Further ones are left out. */
export const nameAccounts = (
  names: readonly string[],
  accounts: readonly Address[],
): Record<string, unknown> => {
  if (accounts.length < names.length) throw new RangeError('too few accounts')
  return Object.fromEntries(names.map((name, at) => [name, accounts[at]]))
}

import { decodeBase58 } from '../../engine/solana/base58.js'

/** An account that an instruction names, and what the instruction does with it. */
export type NamedAccount = { address: string; isSigner?: boolean; isWritable?: boolean }

/** An instruction to encode. */
export type InstructionDraft = {
  program: string
  accounts: readonly NamedAccount[]
  data: readonly number[]
}

/** A message to encode. */
export type MessageDraft = {
  feePayer: string
  blockhash: string
  instructions: readonly InstructionDraft[]
}

/** Encodes a length in one or two bytes, of seven bits each. */
const writeLength = (value: number): number[] => (value < 128 ? [value] : [(value & 127) | 128, value >> 7])

const writeAddress = (address: string): number[] => [...(decodeBase58(address) ?? [])]

/** Encodes an unsigned integer of eight bytes, the lowest byte first. */
export const writeUnits = (units: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((units >> BigInt(8 * at)) & 255n))

type Merged = Required<NamedAccount>

/** Merges the accounts of all instructions. An account gets every right that an instruction needs. */
const mergeAccounts = ({ feePayer, instructions }: MessageDraft): Merged[] => {
  const merged = new Map<string, Merged>()
  const named: NamedAccount[] = [
    { address: feePayer, isSigner: true, isWritable: true },
    ...instructions.flatMap(({ accounts }) => accounts),
    ...instructions.map(({ program }) => ({ address: program })),
  ]
  for (const { address, isSigner = false, isWritable = false } of named) {
    const known = merged.get(address)
    merged.set(address, {
      address,
      isSigner: isSigner || known?.isSigner === true,
      isWritable: isWritable || known?.isWritable === true,
    })
  }
  const rank = ({ isSigner, isWritable }: Merged): number => (isSigner ? 0 : 2) + (isWritable ? 0 : 1)
  return [...merged.values()].sort((one, other) => rank(one) - rank(other))
}

/** Encodes a message of version 0 without lookup tables. */
export const encodeMessage = (draft: MessageDraft): Uint8Array<ArrayBuffer> => {
  const accounts = mergeAccounts(draft)
  const signers = accounts.filter(({ isSigner }) => isSigner)
  const others = accounts.filter(({ isSigner }) => !isSigner)
  const countReadonly = (list: readonly Merged[]): number =>
    list.filter(({ isWritable }) => !isWritable).length
  const indexOf = (address: string): number => accounts.findIndex((account) => account.address === address)
  return Uint8Array.from([
    128,
    signers.length,
    countReadonly(signers),
    countReadonly(others),
    ...writeLength(accounts.length),
    ...accounts.flatMap(({ address }) => writeAddress(address)),
    ...writeAddress(draft.blockhash),
    ...writeLength(draft.instructions.length),
    ...draft.instructions.flatMap(({ program, accounts: named, data }) => [
      indexOf(program),
      ...writeLength(named.length),
      ...named.map(({ address }) => indexOf(address)),
      ...writeLength(data.length),
      ...data,
    ]),
    0,
  ])
}

import { getCompiledTransactionMessageDecoder, type TransactionMessageBytes } from '@solana/kit'
import {
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  ComputeBudgetInstruction,
  getSetComputeUnitLimitInstructionDataDecoder,
  getSetComputeUnitPriceInstructionDataDecoder,
  identifyComputeBudgetInstruction,
} from '@solana-program/compute-budget'

const lamportsPerSignature = 5_000n
const microLamportsPerLamport = 1_000_000n
const maxUnits = 1_400_000n
/** What an instruction of a program may use if the transaction sets no limit. @units compute units */
const unitsPerInstruction = 200_000n
const unitsPerBuiltin = 3_000n

/** The programs that verify signatures. Each of the signatures costs as much as one of the transaction. */
const verifiers: readonly string[] = [
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
  'Secp256r1SigVerify1111111111111111111111111',
]

/** The programs that are part of a node, so that their instructions count as cheap. */
const builtins: readonly string[] = [
  COMPUTE_BUDGET_PROGRAM_ADDRESS,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
  'LoaderV411111111111111111111111111111111111',
  'Ed25519SigVerify111111111111111111111111111',
  'KeccakSecp256k11111111111111111111111111111',
]

type Instruction = { program: string; data: Uint8Array }

const readInstructions = (messageBytes: TransactionMessageBytes): Instruction[] => {
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) return []
  return message.instructions.map(({ programAddressIndex, data }) => ({
    program: message.staticAccounts[programAddressIndex] ?? '',
    data: Uint8Array.from(data ?? []),
  }))
}

const readBudget = (instructions: readonly Instruction[]): { price: bigint; limit: bigint | undefined } => {
  let price = 0n
  let limit: bigint | undefined
  for (const { program, data } of instructions) {
    if (program !== COMPUTE_BUDGET_PROGRAM_ADDRESS || data.length < 5) continue
    const kind = identifyComputeBudgetInstruction(data)
    if (kind === ComputeBudgetInstruction.SetComputeUnitPrice) {
      price = getSetComputeUnitPriceInstructionDataDecoder().decode(data).microLamports
    }
    if (kind === ComputeBudgetInstruction.SetComputeUnitLimit) {
      limit = BigInt(getSetComputeUnitLimitInstructionDataDecoder().decode(data).units)
    }
  }
  return { price, limit }
}

const min = (one: bigint, other: bigint): bigint => (one < other ? one : other)

/** Returns the fee of a message: for its signatures, and for the price that it sets on its compute units. */
export const feeOf = (messageBytes: TransactionMessageBytes): bigint => {
  const { header } = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const instructions = readInstructions(messageBytes)
  const verified = instructions.filter(({ program }) => verifiers.includes(program))
  const signatures = verified.reduce((sum, { data }) => sum + (data[0] ?? 0), header.numSignerAccounts)
  const { price, limit } = readBudget(instructions)
  const unlimited = instructions.reduce(
    (sum, { program }) => sum + (builtins.includes(program) ? unitsPerBuiltin : unitsPerInstruction),
    0n,
  )
  const units = min(limit ?? unlimited, maxUnits)
  const priority = (price * units + microLamportsPerLamport - 1n) / microLamportsPerLamport
  return lamportsPerSignature * BigInt(signatures) + priority
}

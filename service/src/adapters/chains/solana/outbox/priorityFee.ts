import { type Address, type Instruction, isWritableRole, type Rpc, type SolanaRpcApi } from '@solana/kit'
import {
  getSetComputeUnitLimitInstruction,
  getSetComputeUnitPriceInstruction,
} from '@solana-program/compute-budget'

/** More than any write of the service uses. The fee is for what is asked for. */
const computeUnits = 300_000
/** At most, a write then pays 0.0003 SOL beyond the fee of its signature. @units millionths of a lamport */
const maxPrice = 1_000_000n

/** The fee of a transaction's signature. @units lamports */
const signatureFee = 5_000n

/** Nodes take this many accounts. */
const maxAccounts = 128

/**
 * Reads what three of four recent transactions that write the same accounts paid at most for a compute unit.
 *
 * @units millionths of a lamport
 */
const readPrice = async (rpc: Rpc<SolanaRpcApi>, written: readonly Address[]): Promise<bigint> => {
  const recent = await rpc.getRecentPrioritizationFees(written.slice(0, maxAccounts)).send()
  const fees = recent
    .map(({ prioritizationFee }) => BigInt(prioritizationFee))
    .sort((one, other) => Number(one - other))
  const asked = fees[Math.ceil(fees.length * 0.75) - 1] ?? 0n
  return asked < maxPrice ? asked : maxPrice
}

/** Estimates the fee of a write that changes some accounts. @units lamports */
export const estimateFee = async (
  rpc: Rpc<SolanaRpcApi>,
  written: readonly Address[],
  { signatures }: { signatures: bigint },
): Promise<bigint> =>
  signatures * signatureFee + ((await readPrice(rpc, written)) * BigInt(computeUnits)) / 1_000_000n

/** Creates the instructions that offer a priority fee. They are none while nobody pays more than for the signature. */
export const createPriorityFee = async (
  rpc: Rpc<SolanaRpcApi>,
  instructions: readonly Instruction[],
): Promise<readonly Instruction[]> => {
  const accounts = instructions.flatMap(({ accounts = [] }) => accounts)
  const written = new Set(accounts.filter(({ role }) => isWritableRole(role)).map(({ address }) => address))
  const microLamports = await readPrice(rpc, [...written])
  if (microLamports === 0n) return []
  return [
    getSetComputeUnitLimitInstruction({ units: computeUnits }),
    getSetComputeUnitPriceInstruction({ microLamports }),
  ]
}

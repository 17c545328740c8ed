import type { Address, Instruction, KeyPairSigner, TransactionError } from '@solana/kit'
import {
  getAllocateWithSeedInstruction,
  getInitializeNonceAccountInstruction,
  getNonceSize,
  getTransferSolInstruction,
  getWithdrawNonceAccountInstruction,
  SYSTEM_PROGRAM_ADDRESS,
} from '@solana-program/system'
import { firstKey } from '#base/ports/write.js'
import { type Derived, deriveGuard } from '../connection/derivedAddresses.js'

/** The size of a guard, which is a nonce account. @units bytes */
export const guardSize = BigInt(getNonceSize())

/** Returns the guard of a write, which all attempts at it share. */
export const guardOf = (operator: Address, key: string): Derived => deriveGuard(operator, firstKey(key))

/**
 * Creates the instructions that create the guard of a write. A transaction happens whole or not at all, so the
 * guard exists exactly if the write has happened, and every second copy fails at its first instruction.
 *
 * The first instruction gives the account its data, which only the operator can and which fails if it has some. An
 * account that is created with `CreateAccountWithSeed` fails for any balance too, so that a stranger could send it
 * lamports and hold up the write. A guard is a nonce account because the operator can close one: an account of the
 * System program with other data keeps its lamports.
 */
export const createGuard = (
  operator: KeyPairSigner,
  { address, seed, programAddress }: Derived,
  rent: bigint,
): Instruction[] => [
  getAllocateWithSeedInstruction({
    newAccount: address,
    baseAccount: operator,
    base: operator.address,
    seed,
    space: guardSize,
    programAddress,
  }),
  getTransferSolInstruction({ source: operator, destination: address, amount: rent }),
  getInitializeNonceAccountInstruction({ nonceAccount: address, nonceAuthority: operator.address }),
]

/** Creates the instruction that closes a guard. All its lamports go to the operator. */
export const closeGuard = (operator: KeyPairSigner, guard: Address, lamports: bigint): Instruction =>
  getWithdrawNonceAccountInstruction({
    nonceAccount: guard,
    recipientAccount: operator.address,
    nonceAuthority: operator,
    withdrawAmount: lamports,
  })

/** The error of the System program for an account that has data. */
const alreadyInUse = 0

/** Returns which instruction failed, and the number of its program's error. */
const readInstructionError = (error: TransactionError | null) => {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return undefined
  const [index, reason] = error.InstructionError
  const custom = typeof reason === 'object' && 'Custom' in reason ? Number(reason.Custom) : undefined
  return { index: Number(index), custom }
}

/** Whether a guarded transaction failed because its guard was there, so that the write has happened before. */
export const isGuardTaken = (error: TransactionError | null): boolean => {
  const failed = readInstructionError(error)
  return failed?.index === 0 && failed.custom === alreadyInUse
}

/** Whether a guarded transaction failed because the operator could not pay for its guard. */
export const isGuardUnpaid = (error: TransactionError | null): boolean =>
  readInstructionError(error)?.index === 1

/** Whether an account is a guard that was created. A stranger can send lamports to its address, and no more. */
export const isGuard = (
  account: { exists: false } | { exists: true; programAddress: Address; space: bigint },
): boolean =>
  account.exists && account.programAddress === SYSTEM_PROGRAM_ADDRESS && account.space === guardSize

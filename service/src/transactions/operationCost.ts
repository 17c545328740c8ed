import type { UserOperation } from 'kassa/schema'
import type { TransactionRow } from './transaction.js'

/** How much gas an operation asks for. */
export const gasOf = (operation: UserOperation): bigint =>
  [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit,
    operation.paymasterPostOpGasLimit,
  ].reduce((sum, gas) => sum + BigInt(gas ?? 0), 0n)

/** The most that it takes for its gas, in wei. */
export const gasCostOf = (operation: UserOperation): bigint =>
  gasOf(operation) * BigInt(operation.maxFeePerGas)

/** The most that a transaction takes out of its wallet, in wei. */
export const costOf = ({
  operation,
  calls,
}: Pick<TransactionRow, 'operation'> & { calls: readonly { value: bigint | string }[] }): bigint =>
  calls.reduce((sum, { value }) => sum + BigInt(value), operation ? gasCostOf(operation) : 0n)

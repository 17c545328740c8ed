import type { UserOperation } from 'kassa/schema'
import type { TransactionRow } from '../transaction.js'

/** Returns an operation's total gas limit. */
export const gasOf = (operation: UserOperation): bigint =>
  [
    operation.callGasLimit,
    operation.verificationGasLimit,
    operation.preVerificationGas,
    operation.paymasterVerificationGasLimit,
    operation.paymasterPostOpGasLimit,
  ].reduce((sum, gas) => sum + BigInt(gas ?? 0), 0n)

/** Returns the most that an operation can pay for its gas, in wei. */
export const gasCostOf = (operation: UserOperation): bigint =>
  gasOf(operation) * BigInt(operation.maxFeePerGas)

/** Returns the most that a transaction can take out of its wallet, in wei. */
export const costOf = ({
  operation,
  calls,
}: Pick<TransactionRow, 'operation'> & { calls: readonly { value: bigint | string }[] }): bigint =>
  calls.reduce((sum, { value }) => sum + BigInt(value), operation ? gasCostOf(operation) : 0n)

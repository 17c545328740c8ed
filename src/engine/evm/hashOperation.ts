import { getAddress, type Hex, isHex } from 'viem'
import {
  entryPoint08Address,
  getUserOperationHash,
  type UserOperation as ViemUserOperation,
} from 'viem/account-abstraction'
import type { UserOperation } from '../../schema/transaction.js'

const toBytes = (text: string): Hex => {
  if (isHex(text)) return text
  throw new TypeError('a user operation is of hex digits')
}

const getPaymaster = (operation: UserOperation) => {
  const { paymaster, paymasterData, paymasterVerificationGasLimit, paymasterPostOpGasLimit } = operation
  if (paymaster === undefined) return {}
  return {
    paymaster: getAddress(paymaster),
    paymasterData: toBytes(paymasterData ?? '0x'),
    paymasterVerificationGasLimit: BigInt(paymasterVerificationGasLimit ?? 0),
    paymasterPostOpGasLimit: BigInt(paymasterPostOpGasLimit ?? 0),
  }
}

const getFactory = ({ factory, factoryData }: UserOperation) =>
  factory === undefined ? {} : { factory: getAddress(factory), factoryData: toBytes(factoryData ?? '0x') }

/**
 * Converts a user operation to the form that viem takes.
 *
 * @throws If a field is not an address, a number or hex digits.
 */
export const toViemOperation = (operation: UserOperation): ViemUserOperation<'0.8'> => ({
  sender: getAddress(operation.sender),
  nonce: BigInt(operation.nonce),
  callData: toBytes(operation.callData),
  callGasLimit: BigInt(operation.callGasLimit),
  verificationGasLimit: BigInt(operation.verificationGasLimit),
  preVerificationGas: BigInt(operation.preVerificationGas),
  maxFeePerGas: BigInt(operation.maxFeePerGas),
  maxPriorityFeePerGas: BigInt(operation.maxPriorityFeePerGas),
  signature: toBytes(operation.signature),
  ...getFactory(operation),
  ...getPaymaster(operation),
})

/**
 * Returns the hash of an operation as the EntryPoint (v0.8) computes it. The signer signs it, and its event carries
 * it.
 *
 * @throws As {@link toViemOperation} does.
 */
export const hashOperation = (operation: UserOperation, chainId: number): Hex =>
  getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint08Address,
    entryPointVersion: '0.8',
    userOperation: toViemOperation(operation),
  })

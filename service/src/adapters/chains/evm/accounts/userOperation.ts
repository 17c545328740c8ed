import type { UserOperation } from 'kassa/schema'
import { type Address, getAddress, type Hex, isHex } from 'viem'
import {
  getUserOperationHash,
  type PackedUserOperation,
  toPackedUserOperation,
  type UserOperation as ViemUserOperation,
} from 'viem/account-abstraction'
import { walletDeployments } from '../connection/addresses.js'

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

const getFactory = ({ factory, factoryData }: UserOperation): { factory?: Address; factoryData?: Hex } =>
  factory === undefined ? {} : { factory: getAddress(factory), factoryData: toBytes(factoryData ?? '0x') }

const toViem = (operation: UserOperation): ViemUserOperation<'0.8'> => ({
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

/** Packs an operation for the EntryPoint. */
export const packOperation = (operation: UserOperation): PackedUserOperation =>
  toPackedUserOperation(toViem(operation))

/**
 * Returns the hash of an operation as the EntryPoint computes it. The signer signs it, and its event carries
 * it.
 */
export const hashOperation = (operation: UserOperation, chainId: number): Hex =>
  getUserOperationHash({
    chainId,
    entryPointAddress: walletDeployments.entryPoint.address,
    entryPointVersion: '0.8',
    userOperation: toViem(operation),
  })

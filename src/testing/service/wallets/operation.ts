import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  padHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { entryPoint08Address, getUserOperationHash } from 'viem/account-abstraction'
import type { UserOperation } from '../../../schema/transaction.js'
import type { EncodedCall } from './encodeCalls.js'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionData)'])
const executions = parseAbiParameters('(address target, uint256 value, bytes data)[]')
/** Several calls, all or none (ERC-7821). */
const batchMode = padHex('0x01', { dir: 'right', size: 32 })

/** What a smart wallet's contract is called with in order to make calls. */
const encodeExecution = (calls: readonly EncodedCall[]): Hex => {
  const batch = calls.map(({ to, valueWei, data }) => ({ target: to, value: valueWei, data }))
  const args = [batchMode, encodeAbiParameters(executions, [batch])] as const
  return encodeFunctionData({ abi, functionName: 'execute', args })
}

const gas = { callGasLimit: 200_000n, verificationGasLimit: 500_000n, preVerificationGas: 60_000n }

/** What an operation is made of. */
export type NewOperation = { chainId: number; sender: Address; nonce: bigint; calls: readonly EncodedCall[] }

/**
 * Makes an operation that offers no fees: the service pays for its gas. It is yet to be signed.
 *
 * @returns The operation, and its hash as the EntryPoint (v0.8) computes it.
 */
export const makeOperation = ({
  chainId,
  sender,
  nonce,
  calls,
}: NewOperation): { operation: UserOperation; hash: Hex } => {
  const callData = encodeExecution(calls)
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const userOperation = { sender, nonce, callData, ...gas, ...fees, signature: '0x' } as const
  const hash = getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint08Address,
    entryPointVersion: '0.8',
    userOperation,
  })
  const operation = {
    ...{ sender, nonce: numberToHex(nonce), callData, signature: '0x' },
    callGasLimit: numberToHex(gas.callGasLimit),
    verificationGasLimit: numberToHex(gas.verificationGasLimit),
    preVerificationGas: numberToHex(gas.preVerificationGas),
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
  }
  return { operation, hash }
}

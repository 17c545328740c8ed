import {
  type Address,
  decodeAbiParameters,
  decodeFunctionData,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  type Hex,
  isHex,
  padHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionData)'])
const executions = parseAbiParameters('(address target, uint256 value, bytes data)[]')
/** Batch mode of ERC-7821: several calls, all or none. */
const batchMode = padHex('0x01', { dir: 'right', size: 32 })

/** A call that a smart wallet makes. @units `value` in wei */
export type WalletExecution = { to: Address; value: bigint; data: Hex }

/** Encodes calls as one call of a smart wallet's `execute`. */
export const encodeExecution = (calls: readonly { to: string; value: bigint; data: string }[]): Hex => {
  const batch = calls.map(({ to, value, data }) => ({
    target: getAddress(to),
    value,
    data: isHex(data) ? data : ('0x' as const),
  }))
  const args = [batchMode, encodeAbiParameters(executions, [batch])] as const
  return encodeFunctionData({ abi, functionName: 'execute', args })
}

/**
 * Decodes the calls of a smart wallet's `execute`. Other modes and trailing bytes are accepted: only data without either
 * equals its own encoding.
 *
 * @throws If the data calls another function.
 */
export const decodeExecution = (callData: Hex): WalletExecution[] => {
  const { args } = decodeFunctionData({ abi, data: callData })
  const [batch] = decodeAbiParameters(executions, args[1])
  return batch.map(({ target, value, data }) => ({ to: target, value, data }))
}

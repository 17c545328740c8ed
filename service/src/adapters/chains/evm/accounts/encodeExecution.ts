import { encodeAbiParameters, encodeFunctionData, getAddress, type Hex, isHex, padHex } from 'viem'
import type { EncodedCall } from '#base/ports/calls.js'
import { SmartWallet } from '../artifacts/SmartWallet.js'

/** Batch mode of ERC-7821: several calls, all or none. */
const batchMode = padHex('0x01', { dir: 'right', size: 32 })

const executions = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'data', type: 'bytes' },
    ],
  },
] as const

/** Encodes calls as one call of the wallet contract's `execute`. */
export const encodeExecution = (calls: readonly EncodedCall[]): Hex => {
  const batch = calls.map(({ to, value, data }) => ({
    target: getAddress(to),
    value,
    data: isHex(data) ? data : ('0x' as const),
  }))
  const args = [batchMode, encodeAbiParameters(executions, [batch])] as const
  return encodeFunctionData({ ...SmartWallet, functionName: 'execute', args })
}

import { type Abi, type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'

const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
const payAbi = parseAbi(['function pay(bytes32 orderRef, uint256 deadline) payable'])

// Decoders take dirty padding and trailing bytes; encoded again, only a call without either is itself.
const isSame = (data: Hex, abi: Abi, args: readonly unknown[]): boolean =>
  encodeFunctionData({ abi, args }) === data.toLowerCase()

/**
 * Reads calldata that is `transfer(address,uint256)` of an ERC-20 token to the last byte.
 *
 * @returns What is transferred to whom; undefined for any other calldata.
 * @units `units` are base units of the token.
 */
export const readTransfer = (data: Hex): { recipient: Address; units: bigint } | undefined => {
  try {
    const { args } = decodeFunctionData({ abi: transferAbi, data })
    return isSame(data, transferAbi, args) ? { recipient: args[0], units: args[1] } : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads calldata that is `pay(bytes32,uint256)` of the payment router to the last byte.
 *
 * @returns The order it pays for and until when; undefined for any other calldata.
 * @units `deadline` is in seconds since the epoch.
 */
export const readRouterPay = (data: Hex): { orderRef: Hex; deadline: bigint } | undefined => {
  try {
    const { args } = decodeFunctionData({ abi: payAbi, data })
    return isSame(data, payAbi, args) ? { orderRef: args[0], deadline: args[1] } : undefined
  } catch {
    return undefined
  }
}

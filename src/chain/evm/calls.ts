import { type Abi, type Address, decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'

const transferAbi = parseAbi(['function transfer(address to, uint256 amount) returns (bool)'])
const payAbi = parseAbi(['function pay(bytes32 orderRef, uint256 deadline) payable'])

// Decoders accept dirty padding and trailing bytes. Only calldata without either equals its own encoding.
const isSame = (data: Hex, abi: Abi, args: readonly unknown[]): boolean =>
  encodeFunctionData({ abi, args }) === data.toLowerCase()

/**
 * Reads calldata that is exactly `transfer(address,uint256)` of an ERC-20 token.
 *
 * @returns The recipient and the amount; undefined for any other calldata.
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

/** Encodes the call of an ERC-20 token that transfers it. @units `units` are base units of the token */
export const encodeTransfer = (recipient: Address, units: bigint): Hex =>
  encodeFunctionData({ abi: transferAbi, args: [recipient, units] })

/** Encodes the call of the payment router that pays for an order. @units `deadline` in seconds since the epoch */
export const encodeRouterPay = (orderRef: Hex, deadline: bigint): Hex =>
  encodeFunctionData({ abi: payAbi, args: [orderRef, deadline] })

/**
 * Reads calldata that is exactly `pay(bytes32,uint256)` of the payment router.
 *
 * @returns The order it pays for and its deadline; undefined for any other calldata.
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

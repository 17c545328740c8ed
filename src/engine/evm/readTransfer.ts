import { type Address, decodeFunctionData, encodeFunctionData, getAddress, type Hex, parseAbi } from 'viem'
import { parseAddress } from './parseAddress.js'

type Transfer = {
  contract: Address | undefined
  tokenId: bigint | undefined
  units: bigint
  recipient: Address
}

const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, uint256 amount, bytes data)',
])

const decode = (data: Hex) => {
  try {
    const call = decodeFunctionData({ abi, data })
    // Arguments that are cut off, appended or out of range mean something else to some contracts.
    return encodeFunctionData({ abi, ...call }) === data.toLowerCase() ? call : undefined
  } catch {
    return undefined
  }
}

/**
 * Reads what a call transfers: coins, or a token with `transfer` or `safeTransferFrom`. `transferFrom` is left
 * out, because it means an amount to some contracts and a token's id to others.
 *
 * @returns The transfer, with `units` in wei or in base units of the token. Coins have no `contract`, and
 * units of a fungible token no `tokenId`. `undefined` if the call does anything else.
 */
export const readTransfer = (call: { to: string; value: bigint; data: string }): Transfer | undefined => {
  const to = parseAddress(call.to)
  if (to === undefined) return undefined
  if (call.value > 0n) {
    if (call.data !== '0x') return undefined
    return { contract: undefined, tokenId: undefined, units: call.value, recipient: to }
  }
  const sent = decode(call.data as Hex)
  if (!sent) return undefined
  if (sent.functionName === 'transfer') {
    const [recipient, units] = sent.args
    return { contract: to, tokenId: undefined, units, recipient: getAddress(recipient) }
  }
  const [, recipient, tokenId, units = 1n] = sent.args
  return { contract: to, tokenId, units, recipient: getAddress(recipient) }
}

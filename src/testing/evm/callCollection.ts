import {
  type Address,
  decodeFunctionData,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  isAddressEqual,
  isHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { RpcError } from '../../chain/evm/rpcError.js'
import type { TokenLedger } from './createTokenLedger.js'
import type { TestCall, TestLog } from './testTransaction.js'

const abi = parseAbi([
  'function ownerOf(uint256 tokenId) view returns (address)',
  'function balanceOf(address owner) view returns (uint256)',
  'function supportsInterface(bytes4 id) view returns (bool)',
  'function transferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
  'function safeTransferFrom(address from, address to, uint256 tokenId, bytes data)',
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'error ERC721InvalidReceiver(address receiver)',
  'error ERC721NonexistentToken(uint256 tokenId)',
  'error ERC721InsufficientApproval(address operator, uint256 tokenId)',
  'error ERC721IncorrectOwner(address sender, uint256 tokenId, address owner)',
])

/** What a contract of tokens refuses a call with. */
const revert = (data: Hex): RpcError => new RpcError(3, 'execution reverted', data)

const decode = (data: Hex) => {
  try {
    return decodeFunctionData({ abi, data })
  } catch {
    throw revert('0x')
  }
}

/** The interfaces of ERC-165 and ERC-721. */
const interfaces: readonly string[] = ['0x01ffc9a7', '0x80ac58cd']

type Called = { result: Hex; logs: TestLog[]; apply(): void }

/**
 * Runs a call of a token contract (ERC-721). Only a token's owner can move it: there are no allowances.
 *
 * @throws RpcError with code 3 and the revert data.
 */
export const callCollection = (tokens: TokenLedger, chainId: number, call: TestCall): Called => {
  const answer = (result: Hex): Called => ({ result, logs: [], apply: () => {} })
  const ownerOf = (tokenId: bigint): Address => {
    const owner = tokens.ownerOf({ chainId, contractAddress: call.to, tokenId })
    if (owner) return owner
    throw revert(encodeErrorResult({ abi, errorName: 'ERC721NonexistentToken', args: [tokenId] }))
  }
  if (call.value) throw revert('0x')
  const { functionName, args } = decode(call.data)
  if (functionName === 'supportsInterface')
    return answer(encodeFunctionResult({ abi, functionName, result: interfaces.includes(args[0]) }))
  if (functionName === 'ownerOf')
    return answer(encodeFunctionResult({ abi, functionName, result: ownerOf(args[0]) }))
  if (functionName === 'balanceOf') {
    const held = tokens.list(chainId, [args[0]]).filter(({ contractAddress }) => contractAddress === call.to)
    return answer(encodeFunctionResult({ abi, functionName, result: BigInt(held.length) }))
  }
  const [from, to, tokenId] = args
  // In the order of the contract's own checks.
  if (isAddressEqual(to, zeroAddress))
    throw revert(encodeErrorResult({ abi, errorName: 'ERC721InvalidReceiver', args: [to] }))
  const owner = ownerOf(tokenId)
  if (!isAddressEqual(owner, call.from)) {
    const refused = [call.from, tokenId] as const
    throw revert(encodeErrorResult({ abi, errorName: 'ERC721InsufficientApproval', args: refused }))
  }
  if (!isAddressEqual(owner, from)) {
    const refused = [from, tokenId, owner] as const
    throw revert(encodeErrorResult({ abi, errorName: 'ERC721IncorrectOwner', args: refused }))
  }
  const topics = encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to, tokenId } })
  return {
    result: '0x',
    logs: [{ address: call.to, topics: topics.filter((topic) => isHex(topic)), data: '0x' }],
    apply: () => tokens.put({ chainId, contractAddress: call.to, tokenId }, to),
  }
}

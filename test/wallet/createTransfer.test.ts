import { type Abi, decodeFunctionData, encodeFunctionData, erc721Abi, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import type { ContractCall } from '../../src/schema/index.js'
import { createTransfer } from '../../src/wallet/createTransfer.js'
import { contractCall } from '../../src/wallet/evm/contractCall.js'
import { unheardOf } from '../helpers/unheardOf.js'

const contractAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const to = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
const from = { type: 'evm-mpc-wallet', address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } as const
const token = { chain: 'base-sepolia', contractAddress, tokenId: '7', tokenStandard: 'ERC-721' } as const

/** As the service encodes it. */
const encode = ({ abi, functionName, args }: ContractCall) =>
  encodeFunctionData({ abi: JSON.parse(JSON.stringify(abi)) as Abi, functionName, args: [...args] })

const callOf = (...parameters: Parameters<typeof createTransfer>): ContractCall => {
  const params = createTransfer(...parameters)
  if (!params || !('call' in params) || !('abi' in params.call)) throw new Error('there is no call')
  return params.call
}

describe('createTransfer', () => {
  test.each(['ERC-721', 'ERC-5643', unheardOf('ERC-9999')] as const)('parameters: %s', (tokenStandard) => {
    const call = callOf({ token: { ...token, tokenStandard }, from, to })
    expect(call.address).toBe(contractAddress)
    expect(decodeFunctionData({ abi: erc721Abi, data: encode(call) })).toEqual({
      functionName: 'safeTransferFrom',
      args: [from.address, to, 7n],
    })
  })

  test.each([
    [undefined, 1n],
    [3, 3n],
    [10n ** 30n, 10n ** 30n],
  ])('parameters: ERC-1155, quantity %s', (quantity, units) => {
    const abi = parseAbi(['function safeTransferFrom(address, address, uint256, uint256, bytes)'])
    const call = callOf({ token: { ...token, tokenStandard: 'ERC-1155' }, from, to, quantity })
    const { args } = decodeFunctionData({ abi, data: encode(call) })
    expect(args).toEqual([from.address, to, 7n, units, '0x'])
  })

  test('behavior: a smart wallet takes calls, one that is kept a call', () => {
    const kept = createTransfer({ token, from, to })
    const own = createTransfer({ token, from: { ...from, type: 'evm-smart-wallet' }, to })
    expect(Object.keys(kept ?? {}).sort()).toEqual(['call', 'chain'])
    expect(own).toEqual({ chain: 'base-sepolia', calls: [callOf({ token, from, to })] })
  })

  test.each([
    ['a chain that wallets do not send on', { chain: 'zora' }],
    ['another kind of chain', { chain: 'solana', contractAddress: undefined, tokenId: undefined }],
    ['a token without an id', { tokenId: undefined }],
  ])('error: %s', (_, fields) => {
    expect(createTransfer({ token: { ...token, ...fields }, from, to })).toBeUndefined()
  })
})

describe('contractCall', () => {
  const abi = parseAbi([
    'function mint(address to, uint256 units) payable',
    'function mint(address to)',
    'function burn(uint256 id)',
    'event Minted(address to)',
    'error SoldOut(uint256 left)',
  ])

  test('default: what the service takes, with the function that fits, and the errors', () => {
    const call = contractCall({
      address: contractAddress,
      abi,
      functionName: 'mint',
      args: [to, 5n],
      value: 10n ** 18n,
    })
    expect(call).toMatchObject({ address: contractAddress, functionName: 'mint', args: [to, 5n] })
    expect(call.value).toBe('1000000000000000000')
    expect(call.abi).toEqual([abi[0], abi[4]])
    expect(decodeFunctionData({ abi, data: encode(call) }).args).toEqual([to, 5n])
  })

  test('behavior: without coins nothing is said of any', () => {
    const call = contractCall({ address: contractAddress, abi, functionName: 'burn', args: [1n] })
    expect(Object.keys(call)).not.toContain('value')
  })
})

import { isTokenTransfer, type TransactionToCheck } from 'kassa/server'
import { contractCall, createTransfer } from 'kassa/wallet'
import { type Abi, encodeFunctionData, erc721Abi, getAddress, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'

type Params = TransactionToCheck['params']

const address = getAddress(`0x${'a1'.repeat(20)}`)
const other = `0x${'b2'.repeat(20)}` as const
const contract = `0x${'c3'.repeat(20)}`
const chain = 'base-sepolia' as const

const erc721 = parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)'])
const erc721WithData = parseAbi(['function safeTransferFrom(address, address, uint256, bytes)'])
const erc1155 = parseAbi(['function safeTransferFrom(address, address, uint256, uint256, bytes)'])
const errors = parseAbi(['error SoldOut(uint256 left)'])
const payable = parseAbi(['function safeTransferFrom() payable'])

const callOf = (abi: Abi, ...args: unknown[]) => ({
  address: contract,
  functionName: 'safeTransferFrom',
  abi: [...abi],
  args,
})
const transfer = callOf(erc721, address, other, '1')
const encode = (abi: Abi, functionName: string, args: unknown[]) =>
  encodeFunctionData({ abi, functionName, args })
const data = encode(erc721, 'safeTransferFrom', [address, other, 1n])
const direct = { to: contract, value: '0', data }

const isOneOf = (call: object) => {
  const said = [
    { call, chain },
    { calls: [call], chain },
  ].map((params) => isTokenTransfer({ params: params as Params, address }))
  // A wallet of either type is asked alike.
  expect(new Set(said).size).toBe(1)
  return said[0]
}

test.each([
  ['ERC-721', transfer],
  ['ERC-721 with data', callOf(erc721WithData, address, other, '1', '0x')],
  ['ERC-1155', callOf(erc1155, address, other, '1', '1', '0x')],
  ['no value', { ...transfer, value: '0' }],
  ['an address in another case', callOf(erc721, address.toLowerCase(), other, '1')],
  [
    'a long interface, cut to the function',
    contractCall({
      address: contract,
      abi: erc721Abi,
      functionName: 'safeTransferFrom',
      args: [address, other, 1n],
    }),
  ],
  ['the errors that it may be refused with', { ...transfer, abi: [...errors, ...erc721] }],
  ['data', direct],
  [
    'data of ERC-721 with data',
    { ...direct, data: encode(erc721WithData, 'safeTransferFrom', [address, other, 1n, '0x']) },
  ],
  [
    'data of ERC-1155',
    { ...direct, data: encode(erc1155, 'safeTransferFrom', [address, other, 1n, 1n, '0x']) },
  ],
])('default: %s', (_, call) => {
  expect(isOneOf(call)).toBe(true)
})

test.each(['ERC-721', 'ERC-1155'] as const)(
  'default: what createTransfer makes of an %s',
  (tokenStandard) => {
    const token = { chain, contractAddress: contract, tokenId: '1', tokenStandard }
    for (const type of ['evm-mpc-wallet', 'evm-smart-wallet'] as const) {
      const params = createTransfer({ token, from: { type, address }, to: other })
      expect(params && isTokenTransfer({ params, address })).toBe(true)
    }
  },
)

describe('error: what goes by the name of a transfer', () => {
  test.each([
    ['money, by a payable function of that name', { ...callOf(payable), value: '500000000000000000000' }],
    ['a function of that name which takes nothing', callOf(payable)],
    ['money beside a transfer', { ...transfer, value: '1' }],
    ['money beside data', { ...direct, value: '1' }],
    ['two functions of that name', { ...transfer, abi: [...erc721, ...erc1155] }],
    ['the interface of another function', { ...transfer, abi: [{ ...erc721[0], name: 'approve' }] }],
    ['no function', { ...transfer, abi: [{ ...erc721[0], type: 'event' }] }],
    [
      'other types',
      callOf(parseAbi(['function safeTransferFrom(address, address, uint128)']), address, other, '1'),
    ],
    [
      'a prototype’s name for types',
      { ...transfer, abi: [{ ...erc721[0], inputs: [{ type: 'toString' }] }], args: [address] },
    ],
    ['a missing argument', callOf(erc721, address, other)],
    ['another function', { ...transfer, functionName: 'setApprovalForAll' }],
    ['another’s token', callOf(erc721, other, address, '1')],
    [
      'data of another’s token',
      { ...direct, data: encode(erc721, 'safeTransferFrom', [other, address, 1n]) },
    ],
    [
      'money of ERC-20',
      { ...direct, data: encode(parseAbi(['function transfer(address, uint256)']), 'transfer', [other, 1n]) },
    ],
    ['money of ERC-20, from the wallet', { ...direct, data: `0x23b872dd${data.slice(10)}` }],
    ['money alone', { ...direct, data: '0x' }],
    ['data cut off', { ...direct, data: data.slice(0, 10) }],
    ['a serialized transaction', { transaction: '0x02' }],
  ])('%s', (_, call) => {
    expect(isOneOf(call)).toBe(false)
  })
})

test('behavior: of several calls each has to be one', () => {
  const all = (...calls: object[]) => isTokenTransfer({ params: { calls, chain } as Params, address })
  expect(all(transfer, transfer)).toBe(true)
  expect(all(transfer, { ...direct, value: '1' })).toBe(false)
  expect(all()).toBe(false)
})

test('error: a transaction of another kind of chain', () => {
  expect(isTokenTransfer({ params: { transaction: data }, address })).toBe(false)
})

import { encodeFunctionData, erc20Abi, erc721Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { readSentToken } from '#holdings/transactions/readSentToken.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'

const contract = `0x${'c'.repeat(40)}` as const
const chain = {
  ...createFakeChain({ now: Date.now }).port,
  currencies: [
    { currency: 'eth', decimals: 18 },
    { currency: 'usdc', decimals: 6, address: contract },
  ],
}
const friend = `0x${'b'.repeat(40)}` as const
const wallet = `0x${'a'.repeat(40)}` as const
const copiesAbi = parseAbi([
  'function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
])
const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [friend, 5_000_000n] })

const read = (data: string, value = '0') => readSentToken(chain, [{ to: contract, value, data }])
const sent = (token: string, amount: string) => ({
  token,
  params: { amount, recipient: `base-sepolia:${friend}`, recipientAddress: friend },
})

test('default: coins', () => {
  const call = { to: friend, value: '15000000000000000', data: '0x' }
  expect(readSentToken(chain, [call])).toEqual(sent('base-sepolia:eth', '0.015'))
})

test('default: a currency of the deployment', () => {
  expect(read(transfer)).toEqual(sent('base-sepolia:usdc', '5'))
  // An amount cannot be shown without its decimals.
  expect(readSentToken(chain, [{ to: wallet, value: '0', data: transfer }])).toBeUndefined()
})

test('default: ERC-721', () => {
  const args = [wallet, friend, 7n] as const
  const data = encodeFunctionData({ abi: erc721Abi, functionName: 'safeTransferFrom', args })
  expect(read(data)).toEqual(sent(`base-sepolia:${contract}:7`, '1'))
})

test('default: ERC-1155', () => {
  const args = [wallet, friend, 7n, 3n, '0x'] as const
  const data = encodeFunctionData({ abi: copiesAbi, functionName: 'safeTransferFrom', args })
  expect(read(data)).toEqual(sent(`base-sepolia:${contract}:7`, '3'))
})

test.each([
  ['coins and a call', transfer, '1'],
  ['another function', `0x12345678${transfer.slice(10)}`, '0'],
  ['arguments cut off', transfer.slice(0, -2), '0'],
  ['an argument too many', `${transfer}${'0'.repeat(64)}`, '0'],
  ['a recipient that is no address', `${transfer.slice(0, 10)}${'f'.repeat(64)}${transfer.slice(74)}`, '0'],
  ['nothing', '0x', '0'],
  [
    'transferFrom, which is an amount to some contracts and an id to others',
    encodeFunctionData({ abi: erc20Abi, functionName: 'transferFrom', args: [wallet, friend, 7n] }),
    '0',
  ],
])('behavior: %s is not a plain transfer of a token', (_what, data, value) => {
  expect(read(data, value)).toBeUndefined()
})

test('behavior: several calls are not one transfer of a token', () => {
  const call = { to: contract, value: '0', data: transfer }
  expect(readSentToken(chain, [call, call])).toBeUndefined()
})

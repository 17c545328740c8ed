import type { ContractCall } from 'kassa/schema'
import { expect, test } from 'vitest'
import { createTransfer } from '../../lib/wallet/createTransfer'
import { isTokenTransfer } from '../../lib/wallet/isTokenTransfer'

const address = `0x${'1'.repeat(40)}`
const chain = 'base-sepolia' as const
const transferOf = (tokenStandard: string): ContractCall => {
  const call = createTransfer(
    { contractAddress: address, tokenId: '1', tokenStandard },
    { from: address, to: address },
  )
  if (!call) throw new Error('there is no call')
  return call
}
const transfer = transferOf('ERC-721')

test.each(['ERC-721', 'ERC-1155'])('parameters: %s', (standard) => {
  expect(isTokenTransfer({ call: transferOf(standard), chain })).toBe(true)
  expect(isTokenTransfer({ calls: [transferOf(standard)], chain })).toBe(true)
})

test.each([
  ['another function', { ...transfer, functionName: 'setApprovalForAll' }],
  ['money beside it', { ...transfer, value: '1' }],
  [
    'another meaning of the name',
    { ...transfer, abi: [{ type: 'function', name: 'safeTransferFrom', inputs: [] }] },
  ],
  ['two meanings of the name', { ...transfer, abi: [...transfer.abi, ...transfer.abi] }],
  ['encoded data', { to: address, data: '0x', value: '0' }],
] as const)('error: %s', (_, call) => {
  expect(isTokenTransfer({ calls: [{ ...call } as ContractCall], chain })).toBe(false)
})

test('error: a second call, or none', () => {
  expect(isTokenTransfer({ calls: [transfer, transfer], chain })).toBe(false)
  expect(isTokenTransfer({ calls: [], chain })).toBe(false)
})

test('error: a transaction of another kind of chain', () => {
  expect(isTokenTransfer({ transaction: '0x' })).toBe(false)
})

import { type Abi, decodeFunctionData, encodeFunctionData, erc721Abi, parseAbi } from 'viem'
import { expect, test } from 'vitest'
import { createTransfer } from '../../lib/wallet/createTransfer'

const contractAddress = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const parties = {
  from: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  to: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
}

const encode = (tokenStandard: string) => {
  const call = createTransfer({ contractAddress, tokenId: '7', tokenStandard }, parties)
  expect(call?.address).toBe(contractAddress)
  return encodeFunctionData({
    abi: (call?.abi ?? []) as unknown as Abi,
    functionName: call?.functionName ?? '',
    args: call?.args ?? [],
  })
}

test.each(['ERC-721', 'ERC-5643', 'ERC-9999'])('parameters: %s', (standard) => {
  expect(decodeFunctionData({ abi: erc721Abi, data: encode(standard) })).toEqual({
    functionName: 'safeTransferFrom',
    args: [parties.from, parties.to, 7n],
  })
})

test('parameters: ERC-1155', () => {
  const abi = parseAbi(['function safeTransferFrom(address, address, uint256, uint256, bytes)'])
  expect(decodeFunctionData({ abi, data: encode('ERC-1155') }).args).toEqual([
    parties.from,
    parties.to,
    7n,
    1n,
    '0x',
  ])
})

test('behavior: a token of another kind of chain has none', () => {
  expect(createTransfer({}, parties)).toBeUndefined()
})

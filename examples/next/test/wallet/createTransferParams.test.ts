import type { Wallet, WalletToken } from 'kassa/schema'
import { expect, test } from 'vitest'
import { createTransferParams } from '../../lib/wallet/createTransferParams'
import { isSendable } from '../../lib/wallet/isSendable'

const contractAddress = `0x${'c0'.repeat(20)}`
const to = `0x${'b0'.repeat(20)}`
const wallet: Wallet = {
  type: 'evm-mpc-wallet',
  address: `0x${'a0'.repeat(20)}`,
  createdAt: '2026-01-01T00:00:00.000Z',
}

const tokenOn = (chain: string, fields: Partial<WalletToken> = {}): WalletToken => ({
  chain,
  contractAddress,
  tokenId: '7',
  metadata: {},
  locator: `${chain}:${contractAddress}:7`,
  tokenStandard: 'ERC-721',
  ...fields,
})

const call = { address: contractAddress, functionName: 'safeTransferFrom', args: [wallet.address, to, '7'] }

test('default: a wallet that is kept', () => {
  expect(createTransferParams(tokenOn('base-sepolia'), wallet, to)).toMatchObject({
    chain: 'base-sepolia',
    call,
  })
})

test('parameters: a smart wallet', () => {
  const params = createTransferParams(tokenOn('base'), { ...wallet, type: 'evm-smart-wallet' }, to)
  expect(params).toMatchObject({ chain: 'base', calls: [call] })
})

test.each([
  ['ethereum', {}],
  ['avalanche', {}],
  ['zora', {}],
  ['solana', { contractAddress: undefined, tokenId: undefined, mintHash: 'So1' }],
  ['base', { tokenId: undefined }],
])('error: %s, what wallets do not send is not offered to be sent', (chain, fields) => {
  expect(isSendable(tokenOn(chain, fields))).toBe(false)
  expect(createTransferParams(tokenOn(chain, fields), wallet, to)).toBeUndefined()
})

test('behavior: what is offered to be sent can be', () => {
  expect(isSendable(tokenOn('base-sepolia'))).toBe(true)
})

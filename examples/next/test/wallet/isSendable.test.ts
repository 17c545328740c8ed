import type { WalletToken } from 'kassa/schema'
import { createTransfer } from 'kassa/wallet'
import { expect, test } from 'vitest'
import { isSendable } from '../../lib/wallet/isSendable'

const contractAddress = `0x${'c0'.repeat(20)}`
const to = `0x${'b0'.repeat(20)}`
const from = { type: 'evm-mpc-wallet', address: `0x${'a0'.repeat(20)}` } as const

const tokenOn = (chain: string, fields: Partial<WalletToken> = {}): WalletToken => ({
  chain,
  contractAddress,
  tokenId: '7',
  metadata: {},
  locator: `${chain}:${contractAddress}:7`,
  tokenStandard: 'ERC-721',
  ...fields,
})

test('default: every token offered for sending can be sent', () => {
  const token = tokenOn('base-sepolia')
  expect(isSendable(token)).toBe(true)
  expect(createTransfer({ token, from, to })).toBeDefined()
})

test.each([
  ['ethereum', {}],
  ['avalanche', {}],
  ['zora', {}],
  ['solana', { contractAddress: undefined, tokenId: undefined, mintHash: 'So1' }],
  ['base', { tokenId: undefined }],
])('error: %s, what wallets do not send is not offered to be sent', (chain, fields) => {
  const token = tokenOn(chain, fields)
  expect(isSendable(token)).toBe(false)
  expect(createTransfer({ token, from, to })).toBeUndefined()
})

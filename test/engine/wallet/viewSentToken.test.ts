import { expect, test } from 'vitest'
import { viewSentToken } from '../../../src/engine/wallet/viewSentToken.js'

const recipient = '0x00000000000000000000000000000000000000F1'
const usdc = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const chain = 'base-sepolia'
const currencies = [
  { currency: 'eth', decimals: 18 },
  { currency: 'usdc', decimals: 6, address: usdc.toLowerCase() },
]
const params = { recipient: `${chain}:${recipient}`, recipientAddress: recipient }

test.each([
  ['coins', { contract: undefined, tokenId: undefined, units: 5n * 10n ** 17n }, `${chain}:eth`, '0.5'],
  ['a currency', { contract: usdc, tokenId: undefined, units: 1_500_000n }, `${chain}:usdc`, '1.5'],
  ['a token', { contract: recipient, tokenId: 0n, units: 3n }, `${chain}:${recipient}:0`, '3'],
])('default: %s', (_, transfer, token, amount) => {
  const sent = viewSentToken({ ...transfer, recipient }, { chain, currencies })
  expect(sent).toEqual({ token, params: { amount, ...params } })
})

test('behavior: units of an unknown contract are left out', () => {
  const transfer = { contract: recipient, tokenId: undefined, units: 1n, recipient }
  expect(viewSentToken(transfer, { chain, currencies })).toBeUndefined()
})

import { expect, test } from 'vitest'
import { explainDisabled } from '../../src/engine/explainDisabled.js'

test.each([
  ['base', ['base-sepolia'], 'base is not enabled on this deployment (enabled: base-sepolia)'],
  ['solana', ['base', 'polygon'], 'solana is not enabled on this deployment (enabled: base, polygon)'],
  ['aptos', ['base'], 'Aptos is not supported, and no setting enables it (enabled: base)'],
  ['barret-testnet', ['base'], 'barret-testnet is not supported, and no setting enables it (enabled: base)'],
  ['__proto__', [], '__proto__ is not supported, and no setting enables it (enabled: none)'],
  ['', ['base'], '(empty) is not supported, and no setting enables it (enabled: base)'],
])('default: %j', (chain, enabled, message) => {
  expect(explainDisabled(chain, enabled)).toBe(message)
})

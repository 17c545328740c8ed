import { expect, test } from 'vitest'
import { assertIsOn } from '../../../src/engine/wallet/walletFamily.js'

const base = { chain: 'base', family: 'evm' } as const
const solana = { chain: 'solana', family: 'solana' } as const

test('default: a wallet exists on the chains of its family', () => {
  expect(() => assertIsOn({ type: 'evm-smart-wallet' }, base, 'chain')).not.toThrow()
  expect(() => assertIsOn({ type: 'solana-smart-wallet' }, solana, 'chain')).not.toThrow()
})

test('error: a chain of another family', () => {
  expect(() => assertIsOn({ type: 'evm-mpc-wallet' }, solana, 'chains')).toThrow(
    'chains: the address of a wallet of type evm-mpc-wallet is not on solana',
  )
  expect(() => assertIsOn({ type: 'solana-mpc-wallet' }, base, 'chain')).toThrow('not on base')
})

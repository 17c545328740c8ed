import { expect, test } from 'vitest'
import { readWalletBody } from '../../../src/engine/wallet/readWalletBody.js'

const withSigner = (type: string, adminSigner: unknown) => ({ type, config: { adminSigner } })
const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

test('default', () => {
  const body = withSigner('evm-smart-wallet', { type: 'evm-keypair', address })
  expect(readWalletBody(body)).toEqual(body)
  expect(readWalletBody({ type: 'solana-mpc-wallet', config: null })).toEqual({ type: 'solana-mpc-wallet' })
})

test.each([
  ['evm-smart-wallet', 'evm-keypair, evm-passkey or evm-kassa-custodial for an evm-smart-wallet'],
  ['evm-mpc-wallet', 'evm-kassa-custodial for an evm-mpc-wallet'],
  ['solana-mpc-wallet', 'solana-kassa-custodial for a solana-mpc-wallet'],
])('error: names only the signers that an %s can have', (type, signers) => {
  for (const signer of ['pen', 'solana-keypair', '']) {
    expect(() => readWalletBody(withSigner(type, { type: signer }))).toThrow(
      `config.adminSigner.type: expected ${signers}`,
    )
  }
})

test('error: a type that cannot be created comes before its signer', () => {
  expect(() => readWalletBody(withSigner('solana-smart-wallet', { type: 'pen' }))).toThrow(/^type: /)
  expect(() => readWalletBody(withSigner('wallet', { type: 'pen' }))).toThrow(/^type: expected one of/)
})

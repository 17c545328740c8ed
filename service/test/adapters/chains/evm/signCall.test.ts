import { createPublicClient, http, parseTransaction, recoverTransactionAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { sepolia } from 'viem/chains'
import { describe, expect, test } from 'vitest'
import {
  costOf,
  explainLength,
  explainMisfit,
  gasFor,
  maxBytes,
  type PricedCall,
  readSignedCall,
  signCall,
} from '#adapters/chains/evm/outbox/signCall.js'
import type { SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'

const account = privateKeyToAccount(generatePrivateKey())
const client = createPublicClient({ chain: sepolia, transport: http('http://127.0.0.1:1') })
const to = '0x00000000000000000000000000000000000000f1'
const capped = { type: 'eip1559', maxFeePerGas: 9n, maxPriorityFeePerGas: 2n } as const
const priced = { type: 'legacy', gasPrice: 7n } as const

const storedAs = (signedTransaction: string): SignedTransaction => ({
  key: 'base:one',
  chain: 'base',
  sender: account.address,
  nonce: 3,
  signedTransaction,
  txId: '0xaa',
  otherTxIds: null,
  status: 'signed',
  blockNumber: null,
  revertReason: null,
  createdAt: new Date(),
  endedAt: null,
})

describe('signCall', () => {
  test.each<PricedCall>([
    { to, data: '0x1234', value: 5n, gas: 21_000n, fees: capped },
    { to, data: '0x1234', value: 5n, gas: 21_000n, fees: priced },
    { to, gas: 21_000n, fees: capped },
  ])('default: what was signed is read again %#', async (call) => {
    const signed = await signCall({ account, client }, call, 3)
    expect(parseTransaction(signed)).toMatchObject({ chainId: sepolia.id, nonce: 3, type: call.fees.type })
    expect(
      await recoverTransactionAddress({
        serializedTransaction: signed as Parameters<
          typeof recoverTransactionAddress
        >[0]['serializedTransaction'],
      }),
    ).toBe(account.address)
    expect(readSignedCall(storedAs(signed))).toEqual({ data: undefined, value: undefined, ...call })
  })

  test('error: a transaction that creates a contract is not one of the service', async () => {
    const signed = await account.signTransaction({
      chainId: sepolia.id,
      nonce: 3,
      data: '0x60',
      gas: 100_000n,
      maxFeePerGas: 1n,
    })
    expect(() => readSignedCall(storedAs(signed))).toThrow('base:one')
  })
})

test('costOf: the coins and the dearest gas', () => {
  expect(costOf({ to, value: 5n, gas: 10n, fees: capped })).toBe(95n)
  expect(costOf({ to, gas: 10n, fees: priced })).toBe(70n)
})

describe('explainMisfit', () => {
  const most = 16_777_216n

  test('default: more gas than a block or a transaction may use', () => {
    expect(explainMisfit(101n, 100n)).toBe('it needs 101 gas, more than the 100 a transaction may use')
    expect(explainMisfit(most + 1n, 30_000_000n)).toContain(`the ${most} a transaction`)
  })

  test('behavior: the limit itself fits', () => {
    expect(explainMisfit(100n, 100n)).toBeUndefined()
    expect(explainMisfit(most, 30_000_000n)).toBeUndefined()
  })
})

test('gasFor: a quarter more than needed, within the limits', () => {
  expect(gasFor(100n, 30_000_000n)).toBe(125n)
  expect(gasFor(100n, 110n)).toBe(110n)
  expect(gasFor(16_000_000n, 30_000_000n)).toBe(16_777_216n)
})

describe('explainLength', () => {
  const bytes = (count: number) => `0x${'ab'.repeat(count)}` as const

  test('default: data that is longer than 90,000 bytes', () => {
    expect(explainLength(bytes(90_001))).toBe('it has 90001 bytes, more than the limit of 90000')
  })

  test('parameters: limit', () => {
    expect(explainLength(bytes(90_001), maxBytes)).toBeUndefined()
    expect(explainLength(bytes(3), 2)).toBe('it has 3 bytes, more than the limit of 2')
  })

  test('behavior: the limit itself fits, and so does a call without data', () => {
    expect(explainLength(bytes(90_000))).toBeUndefined()
    expect(explainLength(undefined)).toBeUndefined()
  })
})

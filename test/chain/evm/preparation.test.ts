import { type Hex, serializeTransaction } from 'viem'
import { describe, expect, test } from 'vitest'
import { readPreparation } from '../../../src/chain/index.js'
import type { UnknownMember } from '../../../src/schema/index.js'
import {
  codeOf,
  contracts,
  nativeOrder,
  nativeTransaction,
  payer,
  routerPay,
  stranger,
  withPayment,
  withPreparation,
} from './payable.js'

const { gas, maxFeePerGas: _, maxPriorityFeePerGas: __, ...plain } = nativeTransaction
const serialized = serializeTransaction(nativeTransaction)
const legacyTransaction = { ...plain, gas, type: 'legacy', gasPrice: 3_000_000n } as const
const signature = { r: `0x${'1'.repeat(64)}`, s: `0x${'2'.repeat(64)}`, yParity: 0 } as const
const authorization = { address: stranger, chainId: 84532, nonce: 0, ...signature } as const

describe('readPreparation', () => {
  test('default', () => {
    expect(readPreparation(nativeOrder())).toEqual({
      chain: 'base-sepolia',
      chainId: 84532,
      payerAddress: payer,
      to: contracts.router,
      valueWei: 12_000_000_000_000_000n,
      data: routerPay(),
      gas,
    })
  })

  test('parameters: a legacy transaction, of a chain whose blocks have no base fee', () => {
    const order = nativeOrder(serializeTransaction(legacyTransaction))
    expect(readPreparation(order)).toEqual(readPreparation(nativeOrder()))
  })

  test('behavior: an order without a preparation has no transaction', () => {
    expect(readPreparation(withPayment(nativeOrder(), { preparation: undefined }))).toBeUndefined()
    expect(readPreparation(withPreparation(nativeOrder(), { serializedTransaction: '' }))).toBeUndefined()
  })

  test('behavior: hex digits may be capital letters', () => {
    const shouted = `0x${serialized.slice(2).toUpperCase()}` as const
    expect(readPreparation(nativeOrder(shouted))).toEqual(readPreparation(nativeOrder()))
  })

  test('behavior: a payer may be written in any case', () => {
    const payerAddress = stranger.toLowerCase()
    expect(readPreparation(withPreparation(nativeOrder(), { payerAddress }))?.payerAddress).toBe(stranger)
  })

  test.each<[string, Hex]>([
    ['garbage', '0x02deadbeef'],
    ['a list of nothing', '0x02c0'],
    ['lists in lists without end', `0x02${'c1'.repeat(900)}`],
    ['more than a payment takes', `0x02${'00'.repeat(2_000)}`],
    ['a byte after the end', `${serialized}00`],
    ['a missing byte', serialized.slice(0, -2) as Hex],
    ['half a byte', `${serialized}0`],
    ['no hex', '0x02zz'],
    [
      'a legacy transaction of no chain',
      serializeTransaction({ ...plain, chainId: undefined, gas, type: 'legacy', gasPrice: 1n }),
    ],
    [
      'a signed legacy transaction',
      serializeTransaction({ ...plain, gas, type: 'legacy', gasPrice: 1n }, { ...signature, v: 169_103n }),
    ],
    ['a legacy transaction and a byte', `${serializeTransaction(legacyTransaction) as Hex}00`],
    ['an EIP-2930 transaction', serializeTransaction({ ...plain, gas, type: 'eip2930', gasPrice: 1n })],
    [
      'an EIP-4844 transaction',
      serializeTransaction({
        ...plain,
        type: 'eip4844',
        maxFeePerBlobGas: 1n,
        blobVersionedHashes: [`0x01${'0'.repeat(62)}`],
      }),
    ],
    [
      'an EIP-7702 transaction',
      serializeTransaction({ ...plain, type: 'eip7702', authorizationList: [authorization] }),
    ],
    ['a signed transaction', serializeTransaction(nativeTransaction, signature)],
    ['a contract creation', serializeTransaction({ ...nativeTransaction, to: null })],
    [
      'an access list',
      serializeTransaction({ ...nativeTransaction, accessList: [{ address: stranger, storageKeys: [] }] }),
    ],
  ])('error: pay.preparation-invalid, %s', (_what, transaction) => {
    expect(codeOf(() => readPreparation(nativeOrder(transaction)))).toBe('pay.preparation-invalid')
  })

  test('error: pay.preparation-invalid, a well-made one that is longer than any payment', () => {
    const data: Hex = `0x${'00'.repeat(1_000)}`
    expect(() => readPreparation(nativeOrder({ data }))).toThrow('longer than any payment')
    expect(readPreparation(nativeOrder({ data: `0x${'00'.repeat(500)}` }))?.chainId).toBe(84532)
  })

  test('error: pay.preparation-invalid, a number that begins with a zero', () => {
    // The value, which is 7 bytes: as 8 bytes it is the same number, and no canonical one.
    const padded = serialized.replace('872aa1efb94e0000', '88002aa1efb94e0000')
    const longer = padded.replace(
      /^0x02f8(..)/,
      (_all, size) => `0x02f8${(Number(`0x${size}`) + 1).toString(16)}`,
    )
    expect(longer.length).toBe(serialized.length + 2)
    expect(() => readPreparation(nativeOrder(longer as Hex))).toThrow('its serialization is not canonical')
  })

  test.each([
    ['none', undefined],
    ['a word', 'me'],
    ['one digit too few', payer.slice(0, -1)],
  ])('error: pay.preparation-invalid, payer %s', (_what, payerAddress) => {
    const order = withPreparation(nativeOrder(), { payerAddress })
    expect(codeOf(() => readPreparation(order))).toBe('pay.preparation-invalid')
  })

  test('error: pay.chain-mismatch, a transaction for another chain', () => {
    expect(() => readPreparation(nativeOrder({ chainId: 1 }))).toThrow(
      'for ethereum, but the order is paid on base-sepolia',
    )
    expect(() => readPreparation(nativeOrder({ chainId: 424_242 }))).toThrow('for chain 424242')
  })

  test('error: pay.chain-mismatch, a preparation for another chain than the payment', () => {
    const order = withPayment(nativeOrder(), { method: 'base' })
    const mismatch = { code: 'pay.chain-mismatch', context: { expected: 'base', prepared: 'base-sepolia' } }
    expect(() => readPreparation(order)).toThrow(expect.objectContaining(mismatch))
    expect(codeOf(() => readPreparation(withPreparation(nativeOrder(), { chain: 'base' })))).toBe(
      'pay.chain-mismatch',
    )
  })

  test.each(['constructor', 'solana', 'Base-Sepolia', ''])('error: pay.chain-not-configured, %s', (chain) => {
    const order = withPreparation(nativeOrder(), { chain })
    expect(codeOf(() => readPreparation(order))).toBe('pay.chain-not-configured')
  })

  test('behavior: a payment method that is no chain of this package says nothing about the chain', () => {
    expect(readPreparation(withPayment(nativeOrder(), { method: 'crypto' as UnknownMember }))?.chain).toBe(
      'base-sepolia',
    )
    expect(readPreparation(withPayment(nativeOrder(), { method: undefined }))?.chain).toBe('base-sepolia')
  })
})

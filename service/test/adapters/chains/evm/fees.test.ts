import { createPublicClient, custom } from 'viem'
import { describe, expect, test } from 'vitest'
import {
  type Fees,
  isOutpriced,
  offerFees,
  outbid,
  readBlockTerms,
  suggestFees,
} from '#adapters/chains/evm/connection/fees.js'

const capped = (maxFeePerGas: bigint, maxPriorityFeePerGas: bigint): Fees => ({
  type: 'eip1559',
  maxFeePerGas,
  maxPriorityFeePerGas,
})
const priced = (gasPrice: bigint): Fees => ({ type: 'legacy', gasPrice })

describe('offerFees', () => {
  test('default: twice the cap, or the gas price unchanged', () => {
    expect(offerFees('base', capped(100n, 7n), undefined)).toEqual(capped(200n, 7n))
    expect(offerFees('base', priced(100n), undefined)).toEqual(priced(100n))
  })

  test('parameters: the ceiling', () => {
    // This leaves room for a replacement at a higher price.
    expect(offerFees('base', capped(100n, 7n), 150n)).toEqual(capped(132n, 7n))
    expect(outbid(capped(132n, 7n), capped(100n, 7n), 150n)).toEqual(capped(149n, 8n))
    expect(offerFees('base', capped(100n, 100n), 100n)).toEqual(capped(100n, 100n))
  })

  test.each([capped(101n, 7n), priced(101n)])('error: chain-unavailable above it', (asked) => {
    expect(() => offerFees('base', asked, 100n)).toThrow('base requires 101 wei')
  })
})

describe('outbid', () => {
  test("default: each fee more than an eighth higher, or the chain's price", () => {
    expect(outbid(capped(80n, 8n), capped(20n, 2n), undefined)).toEqual(capped(91n, 10n))
    expect(outbid(capped(80n, 8n), capped(300n, 50n), undefined)).toEqual(capped(600n, 50n))
    expect(outbid(priced(80n), priced(20n), undefined)).toEqual(priced(91n))
    expect(outbid(priced(80n), capped(60n, 2n), undefined)).toEqual(capped(120n, 91n))
  })

  test('parameters: nothing above the ceiling', () => {
    expect(outbid(capped(80n, 8n), capped(20n, 2n), 91n)).toEqual(capped(91n, 10n))
    expect(outbid(capped(80n, 8n), capped(20n, 2n), 90n)).toBeUndefined()
    expect(outbid(capped(10n, 8n), capped(91n, 2n), 90n)).toBeUndefined()
  })
})

test('isOutpriced: by the price or by the tip', () => {
  expect(isOutpriced(capped(80n, 8n), capped(80n, 8n))).toBe(false)
  expect(isOutpriced(capped(80n, 8n), capped(81n, 8n))).toBe(true)
  expect(isOutpriced(capped(80n, 8n), capped(80n, 9n))).toBe(true)
  expect(isOutpriced(priced(80n), priced(81n))).toBe(true)
})

test('suggestFees: twice the cap, or the gas price unchanged', () => {
  expect(suggestFees(capped(80n, 8n))).toEqual(capped(160n, 8n))
  expect(suggestFees(priced(80n))).toEqual(priced(80n))
})

describe('readBlockTerms', () => {
  const read = (baseFeePerGas: string | null) =>
    readBlockTerms(
      createPublicClient({
        transport: custom({
          request: async ({ method }: { method: string }) => {
            if (method === 'eth_getBlockByNumber')
              return { gasLimit: '0x64', baseFeePerGas, transactions: [] }
            return method === 'eth_gasPrice' ? '0x46' : '0x7'
          },
        }),
      }),
    )

  test('default: a fifth above the base fee, and the tip', async () => {
    expect(await read('0x64')).toEqual({ gasLimit: 100n, asked: capped(127n, 7n) })
  })

  test('behavior: the gas price where blocks have no base fee', async () => {
    expect(await read(null)).toEqual({ gasLimit: 100n, asked: priced(70n) })
  })
})

import { encodeFunctionData, encodePacked, parseAbi } from 'viem'
import { describe, expect, test } from 'vitest'
import { ServiceError } from '#base/errors.js'
import { assertUnsanctioned, assertUnsanctionedWallet, findSanctioned } from '#identity/wallets/sanctions.js'

const bad = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const good = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'
const listed = new Set([bad.toLowerCase()])
const abi = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function multicall(bytes[] calls)',
  'function note(string text)',
])
const transferTo = (to: `0x${string}`) =>
  encodeFunctionData({ abi, functionName: 'transfer', args: [to, 1n] })

describe('findSanctioned', () => {
  test('default', () => {
    expect(findSanctioned(listed, good, bad)).toBe(bad.toLowerCase())
    expect(findSanctioned(listed, good, transferTo(good))).toBeUndefined()
    expect(findSanctioned(new Set(), bad)).toBeUndefined()
    expect(findSanctioned(listed)).toBeUndefined()
  })

  test.each([
    ['as an argument', transferTo(bad)],
    [
      'in a call within the call',
      encodeFunctionData({ abi, functionName: 'multicall', args: [[transferTo(bad)]] }),
    ],
    ['packed', encodePacked(['uint8', 'address', 'uint8'], [1, bad, 2])],
    ['in capitals', `0x${bad.slice(2).toUpperCase()}`],
    ['in a locator', `evm-kassa-custodial:${bad}`],
  ])('behavior: %s', (_, text) => {
    expect(findSanctioned(listed, text)).toBe(bad.toLowerCase())
  })

  test('behavior: an address on Solana, plain or in a locator, and never a part of another', () => {
    const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
    const both = new Set([...listed, solana])
    expect(findSanctioned(both, solana)).toBe(solana)
    expect(findSanctioned(both, good, `solana-keypair:${solana}`)).toBe(solana)
    expect(findSanctioned(both, bad)).toBe(bad.toLowerCase())
    expect(findSanctioned(both, solana.toLowerCase(), `${solana}1`)).toBeUndefined()
  })

  test('behavior: no match if its digits lie across bytes, or are only part of it', () => {
    expect(findSanctioned(listed, `0x0${bad.slice(2)}0`)).toBeUndefined()
    expect(findSanctioned(listed, bad.slice(0, -2))).toBeUndefined()
  })
})

describe('assertUnsanctioned', () => {
  test('default', () => {
    expect(() => assertUnsanctioned({ sanctionedAddresses: listed }, good)).not.toThrow()
  })

  test('error: unprocessable, with the reason', () => {
    const refuse = () => assertUnsanctioned({ sanctionedAddresses: listed }, transferTo(bad))
    expect(refuse).toThrow(ServiceError)
    expect(refuse).toThrow(
      expect.objectContaining({
        code: 'unprocessable',
        detail: { reason: 'sanctioned_wallet_address', message: expect.stringContaining(bad.toLowerCase()) },
      }),
    )
  })
})

describe('assertUnsanctionedWallet', () => {
  test('default', () => {
    expect(() => assertUnsanctionedWallet({ sanctionedAddresses: listed }, good, '')).not.toThrow()
  })

  test('error: unprocessable, with a message only', () => {
    const refuse = () => assertUnsanctionedWallet({ sanctionedAddresses: listed }, good, bad)
    const message = expect.stringContaining(bad.toLowerCase())
    expect(refuse).toThrow(expect.objectContaining({ code: 'unprocessable', message, detail: undefined }))
  })
})

import { getAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { findToken, isNativeCurrency, knownTokens } from '../../../src/chain/index.js'
import { isEvmChainName } from '../../../src/schema/index.js'

const own = { address: '0xbaDBAdbADbaDBADBAdBaDbaDbadBAdbaDbaDbadb', decimals: 18 } as const

describe('findToken', () => {
  test('default', () => {
    expect(findToken({}, 'base', 'usdc')).toEqual({
      address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      decimals: 6,
    })
  })

  test('parameters: currency in any case', () => {
    expect(findToken({}, 'base', 'USDC')).toEqual(findToken({}, 'base', 'usdc'))
    expect(findToken({ tokens: { base: { OWN: own } } }, 'base', 'own')).toEqual(own)
  })

  test('parameters: tokens', () => {
    const rules = { tokens: { base: { usdc: own }, zora: { own } } }
    expect(findToken(rules, 'base', 'usdc')).toEqual(own)
    expect(findToken(rules, 'zora', 'own')).toEqual(own)
    expect(findToken(rules, 'optimism', 'usdc')).toEqual(findToken({}, 'optimism', 'usdc'))
  })

  test('behavior: an address comes back with its checksum', () => {
    const address = getAddress(own.address).toLowerCase() as `0x${string}`
    expect(findToken({ tokens: { base: { own: { address, decimals: 18 } } } }, 'base', 'own')).toEqual(own)
  })

  test.each([
    ['base', 'constructor'],
    ['base', '__proto__'],
    ['base', 'toString'],
    ['constructor', 'name'],
    ['__proto__', 'constructor'],
    ['base', ''],
    ['zora', 'usdc'],
    ['nowhere', 'usdc'],
  ])('behavior: %s %s is unknown', (chain, currency) => {
    expect(findToken({}, chain, currency)).toBeUndefined()
    expect(findToken({ tokens: {} }, chain, currency)).toBeUndefined()
  })

  test('behavior: what a table inherits is not in it', () => {
    const inherited = { usdc: own }
    expect(findToken({ tokens: Object.create({ zora: inherited }) }, 'zora', 'usdc')).toBeUndefined()
    expect(findToken({ tokens: { zora: Object.create(inherited) } }, 'zora', 'usdc')).toBeUndefined()
  })

  test('behavior: the native currency is never a token, whatever the app says', () => {
    expect(findToken({ tokens: { base: { eth: own } } }, 'base', 'eth')).toBeUndefined()
    expect(findToken({ tokens: { base: { eth: own } } }, 'base', 'ETH')).toBeUndefined()
  })

  test.each([
    ['no address', { address: '0x12', decimals: 6 }],
    ['a fraction of a digit', { ...own, decimals: 1.5 }],
    ['less than no digits', { ...own, decimals: -1 }],
    ['more digits than a token can have', { ...own, decimals: 256 }],
  ] as const)('behavior: an entry with %s hides the known one and is none', (_what, token) => {
    expect(findToken({ tokens: { base: { usdc: token } } }, 'base', 'usdc')).toBeUndefined()
  })
})

describe('knownTokens', () => {
  test('default', () => {
    const names = Object.keys(knownTokens)
    expect(names.every((name) => isEvmChainName(name))).toBe(true)
  })

  test('behavior: every address is unique and has its checksum', () => {
    const tokens = Object.values(knownTokens).flatMap((table) => Object.values(table))
    expect(tokens.map(({ address }) => getAddress(address.toLowerCase()))).toEqual(
      tokens.map(({ address }) => address),
    )
    expect(new Set(tokens.map(({ address }) => address)).size).toBe(tokens.length)
  })
})

describe('isNativeCurrency', () => {
  test('default', () => {
    expect(isNativeCurrency('base', 'eth')).toBe(true)
    expect(isNativeCurrency('polygon', 'POL')).toBe(true)
    expect(isNativeCurrency('polygon', 'eth')).toBe(false)
    expect(isNativeCurrency('base', 'usdc')).toBe(false)
    expect(isNativeCurrency('nowhere', 'eth')).toBe(false)
  })
})

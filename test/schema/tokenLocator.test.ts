import { fields, parseTokenLocator, parseTokenOwner } from 'kassa/schema'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'

const address = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const maxTokenId = `${2n ** 256n - 1n}`

describe('parseTokenOwner', () => {
  test.each([
    [`base-sepolia:${address}`, { kind: 'address', chain: 'base-sepolia', address }],
    [
      'email:ada@example.com:base',
      { kind: 'user', chain: 'base', user: { kind: 'email', value: 'ada@example.com' } },
    ],
    ['userId:a:b:base', { kind: 'user', chain: 'base', user: { kind: 'userId', value: 'a:b' } }],
    ['x:ada:base', { kind: 'user', chain: 'base', user: { kind: 'x', value: 'ada' } }],
  ])('default: %s', (text, parts) => {
    expect(parseTokenOwner(text)).toEqual(parts)
    expect(z.safeParse(fields.TokenOwner, text).success).toBe(true)
  })

  test.each([
    '',
    ':',
    'base',
    'base:',
    `:${address}`,
    address,
    `Base:${address}`,
    `base:${address}:1`,
    `base:${address}0`,
    `base: ${address}`,
    `base\n:${address}`,
    'email:ada:base',
    'email:ada@example.com:',
    'email:ada@example.com:Base',
    'email:ada@example.com',
    'phoneNumber:555:base',
    'nobody:ada:base',
    'userId:a\u0000:base',
  ])('error: %j is none', (text) => {
    expect(parseTokenOwner(text)).toBeUndefined()
    expect(z.safeParse(fields.TokenOwner, text).success).toBe(false)
  })
})

describe('parseTokenLocator', () => {
  test.each(['0', '1', maxTokenId])('default: token %s', (tokenId) => {
    const text = `base:${address}:${tokenId}`
    expect(parseTokenLocator(text)).toEqual({ chain: 'base', contractAddress: address, tokenId })
    expect(z.safeParse(fields.TokenLocator, text).success).toBe(true)
  })

  test.each([
    '',
    '::',
    `base:${address}`,
    `base:${address}:`,
    `base:${address}:01`,
    `base:${address}:-1`,
    `base:${address}:1.0`,
    `base:${address}:0x1`,
    `base:${address}:1:1`,
    `base:${address}:${2n ** 256n}`,
    `base:${address}:${'9'.repeat(10_000)}`,
    `BASE:${address}:1`,
    `base:${address.slice(1)}:1`,
    `base:${address}:１`,
  ])('error: %j is none', (text) => {
    expect(parseTokenLocator(text)).toBeUndefined()
    expect(z.safeParse(fields.TokenLocator, text).success).toBe(false)
  })
})

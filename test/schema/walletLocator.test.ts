import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { walletTypes } from '../../src/schema/members.js'
import {
  parseUserLocator,
  parseWalletLocator,
  UserLocator,
  userKinds,
  WalletLocator,
} from '../../src/schema/walletLocator.js'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const messageOf = (schema: z.ZodMiniType, text: string) => z.safeParse(schema, text).error?.issues[0]?.message

test.each([
  ['email:ada@example.com', { kind: 'email', value: 'ada@example.com' }],
  ['userId:shop:7/u', { kind: 'userId', value: 'shop:7/u' }],
  ['phoneNumber:+15551234567', { kind: 'phoneNumber', value: '+15551234567' }],
  ['twitter:@Ada', { kind: 'twitter', value: '@Ada' }],
  ['x:ada_l', { kind: 'x', value: 'ada_l' }],
])('default: the user %s, and their wallets', (text, user) => {
  expect(parseUserLocator(text)).toEqual(user)
  expect(messageOf(UserLocator, text)).toBeUndefined()
  for (const walletType of walletTypes) {
    const locator = `${text}:${walletType}`
    expect(parseWalletLocator(locator)).toEqual({ kind: 'user', user, walletType })
    expect(messageOf(WalletLocator, locator)).toBeUndefined()
  }
})

test('default: an address', () => {
  expect(parseWalletLocator(address)).toEqual({ kind: 'address', address })
})

test('behavior: a user id may end like a wallet type', () => {
  expect(parseWalletLocator('userId:a:evm-smart-wallet:evm-mpc-wallet')).toEqual({
    kind: 'user',
    user: { kind: 'userId', value: 'a:evm-smart-wallet' },
    walletType: 'evm-mpc-wallet',
  })
})

describe('error: names the part that is wrong', () => {
  const form = /^expected a wallet address, or a user and a wallet type such as/
  test.each([
    ['', form],
    ['ada', form],
    ['0x123', form],
    [`${address} `, form],
    [`${address}\n`, form],
    ['ada@example.com:evm-smart-wallet', form],
    ['Email:ada@example.com:evm-smart-wallet', form],
    ['email:ada@example.com', /^expected a wallet type at its end: evm-smart-wallet, /],
    ['email:ada@example.com:EVM-smart-wallet', /^expected a wallet type at its end/],
    ['email:ada:evm-smart-wallet', /^expected an e-mail address after email:$/],
    ['email::evm-smart-wallet', /^expected an e-mail address/],
    ['email:аda@example.com:evm-smart-wallet', /^expected an e-mail address/],
    [`email:${'a'.repeat(250)}@example.com:evm-smart-wallet`, /^expected an e-mail address/],
    ['userId:a b:evm-smart-wallet', /^a user id has 1 to 255 printable ASCII characters/],
    ['userId:a\0b:evm-smart-wallet', /^a user id has 1 to 255/],
    [`userId:${'x'.repeat(256)}:evm-smart-wallet`, /^a user id has 1 to 255/],
    ['phoneNumber:15551234567:evm-smart-wallet', /^expected a phone number such as/],
    ['phoneNumber: 15551234567:evm-smart-wallet', /^expected a phone number such as/],
    ['twitter:not a handle:evm-smart-wallet', /^expected a handle .* after twitter:$/],
    ['x:@@ada:evm-smart-wallet', /^expected a handle .* after x:$/],
  ])('%j', (text, message) => {
    expect(parseWalletLocator(text)).toBeUndefined()
    expect(messageOf(WalletLocator, text)).toMatch(message)
  })

  test.each(['', 'ada', 'email', ':ada', 'mail:ada@example.com'])('the user %j', (text) => {
    expect(parseUserLocator(text)).toBeUndefined()
    expect(messageOf(UserLocator, text)).toMatch(/^expected one of email:…, userId:…/)
  })
})

test('behavior: what is read is what was written, and what is not read has a reason', () => {
  const pieces = fc.constantFrom(
    ...userKinds,
    ...walletTypes,
    ':',
    '@',
    '+',
    '0x',
    'a@b.co',
    'ada',
    '\0',
    '%3A',
  )
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(':')),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const parts = parseWalletLocator(text)
      if (!parts) {
        expect(messageOf(WalletLocator, text)).toMatch(/./)
        return
      }
      const { kind } = parts
      const again =
        kind === 'address' ? parts.address : `${parts.user.kind}:${parts.user.value}:${parts.walletType}`
      expect(again).toBe(text)
    }),
    { numRuns: 2_000 },
  )
})

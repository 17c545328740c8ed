import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { MintRecipient, parseMintRecipient } from '../../src/schema/mintRecipient.js'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const messageOf = (text: string) => z.safeParse(MintRecipient, text).error?.issues[0]?.message

test.each([
  [`base:${address}`, { kind: 'address', value: address, chain: 'base' }],
  ['email:ada@example.com:base', { kind: 'email', value: 'ada@example.com', chain: 'base' }],
  ['userId:shop:7:base', { kind: 'userId', value: 'shop:7', chain: 'base' }],
  ['twitter:@ada:base', { kind: 'twitter', value: '@ada', chain: 'base' }],
])('default: %s', (text, parts) => {
  expect(parseMintRecipient(text)).toEqual(parts)
  expect(messageOf(text)).toBeUndefined()
})

describe('error: names the part that is wrong', () => {
  const form = /^expected <chain>:<address>, email:/
  test.each([
    ['', form],
    ['ada', form],
    ['base:', form],
    [':base', form],
    ['email::base', form],
    ['email:ada@example.com:Base Sepolia', form],
    ['base:0x123', /^0x123 is not a wallet address$/],
    [`base:${'0'.repeat(500)}`, /^0{128} is not a wallet address$/],
    ['email:nope:base', /^expected an e-mail address, not nope$/],
    ['userId:a b:base', /^a user id has 1 to 255 printable ASCII characters without spaces$/],
    [`userId:${'x'.repeat(256)}:base`, /^a user id has 1 to 255 /],
    ['twitter:not a handle:base', /^expected a Twitter handle, not not a handle$/],
  ])('%s', (text, message) => {
    expect(parseMintRecipient(text)).toBeUndefined()
    expect(messageOf(text)).toMatch(message)
  })
})

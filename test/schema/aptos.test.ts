import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { fields } from '../../src/schema/index.js'

const address = `0x${'a1'.repeat(32)}`
const short = `0x${'a'.repeat(63)}`
const sentence = 'Aptos is not supported: expected an address on an EVM chain or Solana'

const messagesOf = (schema: z.ZodMiniType, value: unknown) =>
  z.safeParse(schema, value).error?.issues.map(({ message }) => message)

test.each([
  ['WalletAddress', fields.WalletAddress, address],
  ['WalletAddress with a leading zero left out', fields.WalletAddress, short],
  ['MintRecipient', fields.MintRecipient, `aptos:${address}`],
  ['WalletLocator', fields.WalletLocator, address],
  ['TokenOwner', fields.TokenOwner, `aptos:${address}`],
  ['TokenLocator', fields.TokenLocator, `aptos:${address}:1`],
  ['TokenLocator of two parts', fields.TokenLocator, `aptos:${address}`],
])('default: %s says that Aptos is not supported', (_, schema, text) => {
  expect(messagesOf(schema, text)).toEqual([sentence])
})

test('behavior: other mistakes keep their sentence', () => {
  for (const text of [
    `0x${'a'.repeat(39)}`,
    `0x${'a'.repeat(41)}`,
    `0x${'a'.repeat(65)}`,
    `0x${'g'.repeat(64)}`,
    'Ada',
  ]) {
    expect(messagesOf(fields.WalletAddress, text)).toEqual(['expected a wallet address'])
  }
})

import { expect, test } from 'vitest'
import { parseMintRecipient } from '../../src/schema/mintRecipient.js'
import { PaymentInput } from '../../src/schema/paymentInput.js'
import { RecipientInput } from '../../src/schema/recipient.js'
import { parseTokenOwner } from '../../src/schema/tokenLocator.js'
import { parseUserLocator, parseWalletLocator } from '../../src/schema/walletLocator.js'

const emailOf = (length: number): string => `ada@${'a.'.repeat((length - 6) / 2)}io`

test('default: an e-mail address has 254 characters at most', () => {
  const payment = { method: 'base', currency: 'usdc' }
  for (const [length, isTaken] of [
    [254, true],
    [256, false],
    [450_000, false],
  ] as const) {
    const email = emailOf(length)
    expect(email).toHaveLength(length)
    const results = [
      RecipientInput.safeParse({ email }),
      PaymentInput.safeParse({ ...payment, receiptEmail: email }),
    ]
    expect(results.map(({ success }) => success)).toEqual([isTaken, isTaken])
    const messages = results.flatMap(({ error }) => error?.issues.map(({ message }) => message) ?? [])
    expect(messages).toEqual(isTaken ? [] : Array(2).fill('expected 254 characters or fewer'))
  }
})

const ascii = 'ada@xn--mller-kva.example'

test.each(['ada@müller.example', 'ada@MÜLLER.example', 'ada@mu\u0308ller.example', ascii])(
  'behavior: %s is one address in every field that takes one',
  (email) => {
    expect(RecipientInput.parse({ email }).email).toBe(ascii)
    const payment = { method: 'base', currency: 'usdc', receiptEmail: email }
    expect(PaymentInput.parse(payment).receiptEmail).toBe(ascii)
    const user = { kind: 'email', value: ascii }
    expect(parseUserLocator(`email:${email}`)).toEqual(user)
    expect(parseWalletLocator(`email:${email}:evm-smart-wallet`)).toMatchObject({ user })
    expect(parseTokenOwner(`email:${email}:base`)).toMatchObject({ user })
    expect(parseMintRecipient(`email:${email}:base`)).toEqual({ ...user, chain: 'base' })
  },
)

test.each([
  ['ada@почта.рф', 'ada@xn--80a1acny.xn--p1ai'],
  ['ada@xn--80a1acny.xn--p1ai', 'ada@xn--80a1acny.xn--p1ai'],
  ['ada@メール.みんな', 'ada@xn--4dkua4c.xn--q9jyb4c'],
])('behavior: the last part of a domain is internationalised, too: %s', (email, stored) => {
  expect(RecipientInput.parse({ email }).email).toBe(stored)
})

test.each(
  [
    'ada@',
    'ada@müller',
    'ada@mül_ler.example',
    'ada@müller.example:80',
    'ada@müller.example/path',
    'ada@eva@müller.example',
    'ada@\ud800.example',
    'ada@-\u200b.example',
    'ada@．．.example',
    'ädä@müller.example',
    `ada@${'ü.'.repeat(60)}example`,
    `ada@${'ü.'.repeat(500_000)}example`,
  ].map((email) => [email.slice(0, 40), email] as const),
)('error: %s is no e-mail address', (_, email) => {
  expect(RecipientInput.safeParse({ email }).success).toBe(false)
  expect(parseUserLocator(`email:${email}`)).toBeUndefined()
})

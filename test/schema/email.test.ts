import { expect, test } from 'vitest'
import { PaymentInput } from '../../src/schema/paymentInput.js'
import { RecipientInput } from '../../src/schema/recipient.js'

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

import fc from 'fast-check'
import { getAddress, isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { checkField } from '../../../../src/components/checkout/forms/checkField.js'
import { type fields, isFieldName } from '../../../../src/components/checkout/forms/fields.js'
import { isAccount } from '../../../../src/components/checkout/wallet/accounts.js'
import { messages } from '../../../../src/locales/en-US.js'
import { fields as schemas } from '../../../../src/schema/index.js'

const address = {
  name: 'Ada Lovelace',
  line1: '12 St James’s Square',
  city: 'London',
  postalCode: 'SW1Y 4JH',
  country: 'GB',
}
const payment = { method: 'base-sepolia', currency: 'eth' }

/** Whether the letters of an EVM account are a checksum that is wrong, which no schema knows. */
const isMistyped = (text: string): boolean =>
  isAddress(text, { strict: false }) &&
  ![text.toLowerCase(), `0x${text.slice(2).toUpperCase()}`, getAddress(text)].includes(text)

/** Whether the schemas accept a text, by the field it is written into. */
const isAccepted = {
  recipient: (text) =>
    schemas.RecipientInput.safeParse(isAccount(text) ? { walletAddress: text } : { email: text }).success &&
    !isMistyped(text),
  email: (email) => schemas.RecipientInput.safeParse({ email }).success,
  walletAddress: (walletAddress) =>
    schemas.RecipientInput.safeParse({ walletAddress }).success && !isMistyped(walletAddress),
  receiptEmail: (receiptEmail) => schemas.PaymentInput.safeParse({ ...payment, receiptEmail }).success,
  name: (name) => schemas.PhysicalAddress.safeParse({ ...address, name }).success,
  line1: (line1) => schemas.PhysicalAddress.safeParse({ ...address, line1 }).success,
  line2: (line2) => schemas.PhysicalAddress.safeParse({ ...address, line2 }).success,
  city: (city) => schemas.PhysicalAddress.safeParse({ ...address, city }).success,
  state: (state) => schemas.PhysicalAddress.safeParse({ ...address, state }).success,
  postalCode: (postalCode) => schemas.PhysicalAddress.safeParse({ ...address, postalCode }).success,
} satisfies Partial<Record<keyof typeof fields, (text: string) => boolean>>

const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdefABCDEFg'), minLength: length, maxLength: length })

/** Accounts with their checksum, without one, and with one that may be wrong. */
const accounts = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 40, maxLength: 40 }),
    fc.nat(39),
  )
  .chain(([digits, at]) => {
    const account = getAddress(`0x${digits}`)
    const other = account[at + 2]?.toLowerCase() ?? ''
    return fc.constantFrom(
      account,
      `0x${digits}`,
      `0x${digits.toUpperCase()}`,
      account.slice(0, at + 2) + other + account.slice(at + 3),
    )
  })

const letters = (unit: string) => fc.string({ unit: fc.constantFrom(...unit), minLength: 1, maxLength: 6 })
const emails = fc
  .tuple(letters("aB7.'+_-"), letters('aB7-ü'), letters('abcü'))
  .map(([user, host, top]) => `${user}@${host}.${top}`)

/** What buyers write: nearly right, mostly. A form sends it without the blanks around it. */
const texts = fc
  .oneof(
    fc.string(),
    accounts,
    emails,
    emails.map((email) => email.replace(/\.\w+$/, '')),
    fc.emailAddress(),
    fc.integer({ min: 38, max: 42 }).chain((length) => hex(length).map((digits) => `0x${digits}`)),
    fc.string({
      unit: fc.constantFrom(...'123456789ABCDEFGHJKLMNPQRSTUVWXYZ0l'),
      minLength: 30,
      maxLength: 46,
    }),
    fc.integer({ min: 198, max: 203 }).map((length) => 'x'.repeat(length)),
  )
  .map((text) => text.trim())

describe('behavior: a form accepts exactly what the schemas accept', () => {
  test.each(Object.keys(isAccepted).filter(isFieldName))('%s', (name) => {
    const accepts: ((text: string) => boolean) | undefined = Reflect.get(isAccepted, name)
    fc.assert(
      fc.property(texts, (text) => {
        expect(checkField(name, text, { messages }) === undefined).toBe(accepts?.(text))
      }),
      { numRuns: 500 },
    )
  })
})

test('behavior: a country is chosen from codes that the schema accepts, or is missing', () => {
  expect(checkField('country', 'GB', { messages })).toBe(undefined)
  expect(checkField('country', '', { messages })).toBe('Fill this in.')
  expect(schemas.PhysicalAddress.safeParse({ ...address, country: '' }).success).toBe(false)
})

test.each([
  ['GB', 'Fill this in.'],
  ['IE', 'Fill this in.'],
  ['HK', undefined],
  ['AE', undefined],
])('parameters: country: a postal code may stay empty where there are none: %s', (country, error) => {
  expect(checkField('postalCode', '', { messages, country })).toBe(error)
  const { postalCode: _, ...rest } = address
  expect(schemas.PhysicalAddress.safeParse({ ...rest, country }).success).toBe(error === undefined)
})

describe('parameters: chain', () => {
  const evm = '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'
  const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
  test.each([
    ['solana', solana, evm, '7xKX…gAsU'],
    ['base-sepolia', evm, solana, '0x12Ab…89Ef'],
  ])('%s', (chain, own, foreign, example) => {
    expect(checkField('walletAddress', own, { messages, chain })).toBe(undefined)
    expect(checkField('recipient', own, { messages, chain })).toBe(undefined)
    expect(checkField('recipient', foreign, { messages, chain })).toBe(`Write it like ${example}.`)
    expect(checkField('recipient', 'ada@example.com', { messages, chain })).toBe(undefined)
  })
})

import { describe, expect, test } from 'vitest'
import { isSamePayment, isUnchangedPayment, namesAccount } from '../../../src/chain/solana/transfer.js'
import { programs } from '../../../src/engine/solana/orderAccounts.js'
import {
  accountsOf,
  type Draft,
  encodeMessage,
  memo,
  mint,
  payer,
  stranger,
  transferOf,
} from './solanaPayable.js'

const sol = transferOf('sol', 500n)
const usdc = transferOf('usdc', 500n)
const asked = encodeMessage([sol, memo()])
const askedTokens = encodeMessage([usdc, memo()])
const fee: Draft = { program: programs.computeBudget, accounts: [], data: [2, 0, 0, 1, 0] }

/** Exchanges one account of a transfer. */
const exchanged = ({ accounts, ...rest }: Draft, from: string, to: string): Uint8Array =>
  encodeMessage([{ ...rest, accounts: accounts.map((each) => (each === from ? to : each)) }])

const [reference] = accountsOf('sol').references

describe('isSamePayment', () => {
  test.each([
    ['the same message', asked, asked],
    ['a fee before it', asked, encodeMessage([fee, sol, memo()])],
    ['another transfer beside it', asked, encodeMessage([transferOf('sol', 1n), sol])],
    [
      'tokens from another account of the payer',
      askedTokens,
      exchanged(usdc, usdc.accounts[0] ?? '', stranger),
    ],
  ])('default: %s', (_, one, other) => {
    expect(isSamePayment(one, other)).toBe(true)
  })

  test.each([
    ['another payer', asked, exchanged(sol, payer, stranger)],
    ['another recipient', asked, exchanged(sol, accountsOf('sol').account, stranger)],
    ['another amount', asked, encodeMessage([transferOf('sol', 501n)])],
    ['another token', askedTokens, exchanged(usdc, mint, stranger)],
    ['another order', asked, exchanged(sol, reference, stranger)],
    ['no transfer', asked, encodeMessage([memo()])],
    ['bytes that are no message', asked, new Uint8Array(3)],
    ['nothing that was asked for', encodeMessage([memo()]), asked],
  ])('behavior: %s is another payment', (_, one, other) => {
    expect(isSamePayment(one, other)).toBe(false)
  })
})

describe('isUnchangedPayment', () => {
  test('default: a fee may be added, and a transfer to another account', () => {
    const elsewhere: Draft = { program: programs.system, accounts: [payer, stranger], data: sol.data }
    expect(isUnchangedPayment(asked, encodeMessage([fee, sol, memo(), elsewhere]))).toBe(true)
  })

  test.each([
    ['it is made twice', encodeMessage([sol, sol])],
    ['more goes to the same account', encodeMessage([sol, transferOf('sol', 1n)])],
    ['another account pays the fee', encodeMessage([sol], { signers: [stranger, payer] })],
    ['bytes that are no message', new Uint8Array(3)],
  ])('behavior: %s', (_, signed) => {
    expect(isUnchangedPayment(asked, signed)).toBe(false)
  })
})

test('namesAccount: a message that cannot be decoded may name any', () => {
  expect(namesAccount(asked, payer)).toBe(true)
  expect(namesAccount(asked, stranger)).toBe(false)
  expect(namesAccount(encodeMessage([sol], { tables: 1 }), stranger)).toBe(true)
})

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkSolanaPayment, type SolanaRules } from '../../../src/chain/index.js'
import { getAssociatedTokens, programs } from '../../../src/engine/solana/orderAccounts.js'
import { isKassaError } from '../../../src/errors/index.js'
import type { Order } from '../../../src/schema/index.js'
import {
  accountsOf,
  blockhash,
  type Draft,
  encodeMessage,
  memo,
  mint,
  operator,
  orderId,
  payer,
  solanaOrder,
  stranger,
  toBase64,
  transferOf,
  withoutKey,
} from './solanaPayable.js'

const sol = 500_000_000n
const usdc = 75_000_000n
const rules: SolanaRules = { operator, tokens: { usdc: { address: mint, decimals: 6 } } }

const inSol = (...others: Draft[]) => encodeMessage([transferOf('sol', sol), memo(), ...others])
const inUsdc = (...others: Draft[]) => encodeMessage([transferOf('usdc', usdc), memo(), ...others])
const usdcOrder = (message: Uint8Array) => solanaOrder(message, 'usdc', '75')

const codeOf = (order: Order, given = rules): string => {
  try {
    checkSolanaPayment(order, given)
    return 'passed'
  } catch (error) {
    if (!isKassaError(error)) throw error
    return error.code
  }
}

/** Changes the transfer of a message in SOL. */
const altered = (change: Partial<Draft>, ...others: Draft[]) =>
  encodeMessage([{ ...transferOf('sol', sol), ...change }, ...others])

describe('checkSolanaPayment', () => {
  test('default: a transfer of SOL to the account of the order', () => {
    const message = inSol()
    const { account, references } = accountsOf('sol')
    expect(checkSolanaPayment(solanaOrder(message), rules)).toEqual({
      payerAddress: payer,
      recipient: account,
      reference: references[0],
      currency: 'sol',
      units: sol,
      token: undefined,
      blockhash,
      message,
    })
  })

  test('parameters: a token', () => {
    const message = inUsdc()
    expect(checkSolanaPayment(usdcOrder(message), rules)).toMatchObject({
      recipient: accountsOf('usdc').account,
      currency: 'usdc',
      units: usdc,
      token: { address: mint, decimals: 6 },
    })
  })

  test('parameters: without the operator, the service decides where the payment goes', () => {
    const { references } = accountsOf('sol')
    const elsewhere = altered({ accounts: [payer, stranger, ...references] })
    expect(codeOf(solanaOrder(elsewhere))).toBe('pay.recipient-mismatch')
    expect(checkSolanaPayment(solanaOrder(elsewhere), {})).toMatchObject({ recipient: stranger })
    const toOneself = altered({ accounts: [payer, payer, ...references] })
    expect(codeOf(solanaOrder(toOneself), {})).toBe('pay.call-not-allowed')
  })

  test('behavior: a legacy message, a usual fee, and no memo are fine', () => {
    const legacy = encodeMessage([transferOf('sol', sol), memo()], { isVersioned: false })
    expect(codeOf(solanaOrder(legacy))).toBe('passed')
    const fees: Draft[] = [
      { program: programs.computeBudget, accounts: [], data: [2, 0x40, 0x0d, 3, 0] },
      { program: programs.computeBudget, accounts: [], data: [3, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0] },
    ]
    expect(codeOf(solanaOrder(encodeMessage([...fees, transferOf('sol', sol)])))).toBe('passed')
  })
})

const { account, references } = accountsOf('sol')
const price = (...bytes: number[]): Draft => ({
  program: programs.computeBudget,
  accounts: [],
  data: [3, ...bytes, ...new Array<number>(8 - bytes.length).fill(0)],
})

describe('error: pay.call-not-allowed', () => {
  test.each([
    ['a second transfer', inSol(transferOf('sol', 1n))],
    ['no transfer', encodeMessage([memo()])],
    ['another program', inSol({ program: stranger, accounts: [payer], data: [1] })],
    [
      'an approval of tokens',
      inSol({ program: programs.token, accounts: [mint, stranger, payer], data: [4, 1] }),
    ],
    ['a memo that an account signs', inSol({ ...memo(), accounts: [payer] })],
    ['a nonce advance', inSol({ program: programs.system, accounts: [stranger, payer], data: [4, 0, 0, 0] })],
    ['an unusual fee', inSol(price(255, 255, 255, 255, 1))],
    ['a heap size', inSol({ program: programs.computeBudget, accounts: [], data: [1, 0, 0, 4, 0] })],
    ['another signer', encodeMessage([transferOf('sol', sol)], { signers: [payer, stranger] })],
    ['a transfer from another account', altered({ accounts: [stranger, account, ...references] })],
    ['no reference', altered({ accounts: [payer, account] })],
    ['the reference of another order', altered({ accounts: [payer, account, stranger, references[1]] })],
    ['more accounts', altered({ accounts: [payer, account, ...references, stranger] })],
    ['data after the amount', altered({ data: [...transferOf('sol', sol).data, 0] })],
  ])('%s', (_, message) => {
    expect(codeOf(solanaOrder(message))).toBe('pay.call-not-allowed')
  })
})

describe('error: pay.preparation-invalid', () => {
  const whole = inSol()
  const withVersion = (version: number) => Uint8Array.from([version, ...whole.slice(1)])
  test.each([
    ['nothing', ''],
    ['text that is not base64', '{}'],
    ['base64 of another spelling', `${toBase64(whole)} `],
    ['another version', toBase64(withVersion(129))],
    ['a lookup table', toBase64(encodeMessage([transferOf('sol', sol)], { tables: 1 }))],
    ['too few bytes', toBase64(whole.slice(0, -1))],
    ['too many bytes', toBase64(Uint8Array.from([...whole, 0]))],
    ['more bytes than a transaction has', toBase64(new Uint8Array(1_233))],
    ['another fee payer', toBase64(encodeMessage([transferOf('sol', sol)], { signers: [stranger] }))],
  ])('%s', (_, text) => {
    expect(codeOf(solanaOrder(text))).toBe('pay.preparation-invalid')
  })

  const withBytes = (at: number, ...bytes: number[]) =>
    Uint8Array.from([...whole.slice(0, at), ...bytes, ...whole.slice(at + 1)])
  // After its version come three numbers of its header, the number of its accounts, and the accounts.
  const accountsAt = 5
  test.each([
    ['a signer that is only read and pays the fee', withBytes(2, 1)],
    ['more signers than accounts', withBytes(1, 7)],
    ['no signer', withBytes(1, 0)],
    ['a length in more bytes than it takes', withBytes(4, 0x86, 0)],
    [
      'an account twice',
      Uint8Array.from([
        ...whole.slice(0, accountsAt + 3 * 32),
        ...whole.slice(accountsAt + 2 * 32, accountsAt + 3 * 32),
        ...whole.slice(accountsAt + 4 * 32),
      ]),
    ],
    ['more bytes than a transaction has, though it is the payment', inSol(memo('x'.repeat(1_000)))],
  ])('%s', (_, message) => {
    expect(codeOf(solanaOrder(message))).toBe('pay.preparation-invalid')
  })

  test('a payment in another currency than the price', () => {
    const order = solanaOrder(whole)
    order.payment.currency = 'usdc'
    expect(codeOf(order)).toBe('pay.preparation-invalid')
  })

  test('no payer', () => {
    const order = solanaOrder(whole)
    const { preparation } = order.payment
    if (!preparation) throw new Error('the order has no preparation')
    preparation.payerAddress = `0x${'00'.repeat(20)}`
    expect(codeOf(order)).toBe('pay.preparation-invalid')
  })
})

test('error: pay.amount-mismatch', () => {
  expect(codeOf(solanaOrder(encodeMessage([transferOf('sol', sol + 1n)])))).toBe('pay.amount-mismatch')
  expect(codeOf(usdcOrder(encodeMessage([transferOf('usdc', usdc - 1n)])))).toBe('pay.amount-mismatch')
})

test('error: pay.token-mismatch', () => {
  const { accounts, data, program } = transferOf('usdc', usdc)
  const [source = '', , ...rest] = accounts
  const other = encodeMessage([{ program, data, accounts: [source, stranger, ...rest] }])
  expect(codeOf(usdcOrder(other))).toBe('pay.token-mismatch')
  expect(codeOf(usdcOrder(inSol()))).toBe('pay.token-mismatch')
  expect(codeOf(solanaOrder(inUsdc()))).toBe('pay.token-mismatch')
  const finer = encodeMessage([{ program, accounts, data: [...data.slice(0, -1), 9] }])
  expect(codeOf(usdcOrder(finer))).toBe('pay.token-mismatch')
})

test('error: pay.token-unknown', () => {
  expect(codeOf(solanaOrder(inUsdc(), 'bonk', '75'))).toBe('pay.token-unknown')
})

test('error: pay.chain-mismatch', () => {
  const order = solanaOrder(inSol())
  order.payment.method = 'base'
  expect(codeOf(order)).toBe('pay.chain-mismatch')
})

const runs = 10_000

describe('hostile preparations', () => {
  test.each(['sol', 'usdc'] as const)(
    `of ${runs} changes to a message in %s, none passes that pays otherwise`,
    (currency) => {
      const whole = currency === 'sol' ? inSol() : inUsdc()
      const order = (message: Uint8Array) => (currency === 'sol' ? solanaOrder(message) : usdcOrder(message))
      const honest = checkSolanaPayment(order(whole), rules)
      const edit = fc.record({
        at: fc.nat(whole.length - 1),
        byte: fc.nat(255),
        kind: fc.constantFrom('set', 'insert', 'delete'),
      })
      fc.assert(
        fc.property(fc.array(edit, { minLength: 1, maxLength: 6 }), (edits) => {
          const bytes = [...whole]
          for (const { at, byte, kind } of edits) {
            if (kind === 'set') bytes[at] = byte
            else bytes.splice(at, kind === 'delete' ? 1 : 0, ...(kind === 'insert' ? [byte] : []))
          }
          let passed: ReturnType<typeof checkSolanaPayment>
          try {
            passed = checkSolanaPayment(order(Uint8Array.from(bytes)), rules)
          } catch (error) {
            // Whatever comes is refused with an error of this package.
            expect(isKassaError(error)).toBe(true)
            return
          }
          // The memo, the blockhash, and which accounts are written have no effect on who pays what to whom.
          const { message: _, blockhash: __, ...payment } = passed
          const { message: ___, blockhash: ____, ...wanted } = honest
          expect(payment).toEqual(wanted)
        }),
        { numRuns: runs, seed: 17 },
      )
    },
  )

  test(`of ${runs} messages of other instructions, none passes that does more than the payment`, () => {
    const { account: tokens } = accountsOf('usdc')
    const addresses = [
      payer,
      stranger,
      operator,
      mint,
      account,
      tokens,
      ...references,
      ...Object.values(programs),
    ]
    const draft = fc.record({
      program: fc.constantFrom(...Object.values(programs), stranger),
      accounts: fc.array(fc.constantFrom(...addresses), { maxLength: 6 }),
      data: fc.oneof(
        fc.array(fc.nat(255), { maxLength: 14 }),
        fc.constantFrom([...transferOf('sol', sol).data], [...transferOf('usdc', usdc).data]),
      ),
    })
    fc.assert(
      fc.property(
        fc.array(draft, { maxLength: 3 }),
        fc.boolean(),
        fc.nat(3),
        (drafts, isVersioned, place) => {
          const payment = transferOf('sol', sol)
          const all = [...drafts.slice(0, place), ...(place < 3 ? [payment] : []), ...drafts.slice(place)]
          const code = codeOf(solanaOrder(encodeMessage(all, { isVersioned })))
          if (code !== 'passed') return
          const isHarmless = ({ program, accounts }: Draft) =>
            (program === programs.memo || program === programs.computeBudget) && accounts.length === 0
          const others = all.filter((each) => !isHarmless(each))
          expect(others).toHaveLength(1)
          expect(others[0]?.accounts.slice(0, 2)).toEqual([payer, account])
          expect(others[0]?.data).toEqual(payment.data)
        },
      ),
      { numRuns: runs, seed: 17 },
    )
  })
})

test('error: an operator that no key has', () => {
  expect(codeOf(solanaOrder(inSol()), { ...rules, operator: withoutKey })).toBe('pay.preparation-invalid')
})

test('error: pay.recipient-mismatch: tokens to the address itself, or to the associated account of another', () => {
  const { accounts, data, program } = transferOf('usdc', usdc)
  const [source = '', token = '', , ...rest] = accounts
  const { owner } = accountsOf('usdc')
  for (const to of [owner, getAssociatedTokens(stranger, mint), getAssociatedTokens(owner, stranger)]) {
    const message = encodeMessage([{ program, data, accounts: [source, token, to, ...rest] }])
    expect(codeOf(usdcOrder(message))).toBe('pay.recipient-mismatch')
  }
})

test('behavior: the accounts of an order follow from the operator and its id', () => {
  expect(accountsOf('sol').owner).toBe(accountsOf('usdc').owner)
  expect(accountsOf('sol').references).toEqual(accountsOf('usdc').references)
  expect(accountsOf('sol').account).not.toBe(accountsOf('usdc').account)
  expect(orderId).toHaveLength(36)
})

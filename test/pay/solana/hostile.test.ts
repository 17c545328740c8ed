import { getCompiledTransactionMessageDecoder } from '@solana/kit'
import { QueryClient } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { http } from 'viem'
import { baseSepolia } from 'viem/chains'
import { afterAll, describe, expect, test } from 'vitest'
import { createConfig } from 'wagmi'
import { createClient } from '../../../src/api/index.js'
import { createMemoryStorage, createPaymentAttemptStore } from '../../../src/chain/index.js'
import { programs } from '../../../src/engine/solana/orderAccounts.js'
import '../../../src/pay/createPayment.js'
import { getPayment } from '../../../src/query.js'
import type { Order } from '../../../src/schema/index.js'
import { solana } from '../../../src/solana/index.js'
import { quotedAt } from '../../../src/testing/orderFixture.js'
import {
  accountsOf,
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
} from '../../chain/solana/solanaPayable.js'
import { createWindow } from '../../helpers/browserWindow.js'
import { codeOf } from '../../helpers/follow.js'
import { createScriptedSolanaWallet } from '../../helpers/scriptedSolanaWallet.js'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import { change, type Path } from '../hostile/mutation.js'

const runsPerKind = 1_250

const context = { slot: 1_000 }
/** A node that agrees to everything: whatever is stopped here, was stopped by the checks. */
const answers: Readonly<Record<string, unknown>> = {
  getLatestBlockhash: { context, value: { blockhash: stranger, lastValidBlockHeight: 1_150 } },
  getBalance: { context, value: 10 ** 15 },
  getFeeForMessage: { context, value: 5_000 },
  getTokenAccountsByOwner: {
    context,
    value: [{ account: { data: [Buffer.alloc(165, 1).toString('base64'), 'base64'] } }],
  },
  simulateTransaction: { context, value: { err: null, logs: [] } },
}

const currencies = ['sol', 'usdc'] as const
type Currency = (typeof currencies)[number]
const units = { sol: 500_000_000n, usdc: 75_000_000n }
const orderOf = (currency: Currency, message: Uint8Array | string): Order => ({
  ...(currency === 'sol' ? solanaOrder(message) : solanaOrder(message, 'usdc', '75')),
  phase: 'payment',
})
const wholeOf = (currency: Currency): Uint8Array =>
  encodeMessage([transferOf(currency, units[currency]), memo()])

/** A buyer's wallet that declines, and an app that knows the operator and the token. */
const openPage = async () => {
  const wallet = createScriptedSolanaWallet({ rpcUrl: 'http://node.test' })
  wallet.script.accounts = [{ ...wallet.account, address: payer }]
  wallet.script.onAsk = () => Promise.reject(new ProviderError(4001, 'declined'))
  const app = solana({
    rpcUrl: 'http://node.test',
    cluster: 'localnet',
    operator,
    storage: createMemoryStorage(),
    tokens: { usdc: { address: mint, decimals: 6 } },
    fetch: async (_, init) => {
      const { method } = JSON.parse(String(init?.body)) as { method: string }
      return Response.json({ result: answers[method] })
    },
  })
  const browser = createWindow()
  browser.announce(wallet.wallet)
  browser.inside(() => app.wallets.subscribe(() => {}))
  const [found] = app.wallets.getState().wallets
  if (found) await app.wallets.connect(found)
  const config = createConfig({
    chains: [baseSepolia],
    transports: { [baseSepolia.id]: http('http://node.test') },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })

  /** One purchase from a service that answers as it likes; the last answer is given again and again. */
  const pay = async (given: readonly unknown[]) => {
    wallet.asked.length = 0
    let count = 0
    const client = createClient({
      baseUrl: 'http://hostile.test/api',
      fetch: async () => Response.json(given[Math.min(count++, given.length - 1)] ?? null),
    })
    const queryClient = new QueryClient()
    const parameters = {
      orderId,
      clientSecret: 'secret',
      config,
      client,
      queryClient,
      solana: app,
      attemptStore: createPaymentAttemptStore(createMemoryStorage()),
      now: () => Date.parse(quotedAt) + 5_000,
    }
    const step = await getPayment(queryClient, client, orderId).pay(parameters)
    queryClient.clear()
    return { code: codeOf(step), asked: [...wallet.asked] }
  }
  return { pay }
}

const page = openPage()
let count = 0

/** Whether a message, read by another library, makes exactly the payment of the order. */
const isPayment = (bytes: Uint8Array, currency: Currency): boolean => {
  const message = getCompiledTransactionMessageDecoder().decode(bytes)
  if (message.version === 1) return false
  const at = (index: number): string => message.staticAccounts[index] ?? ''
  const others = message.instructions
    .map(({ programAddressIndex, accountIndices = [], data = [] }) => ({
      program: at(programAddressIndex),
      accounts: accountIndices.map(at),
      data: [...data],
    }))
    .filter(
      ({ program, accounts }) =>
        accounts.length > 0 || (program !== programs.memo && program !== programs.computeBudget),
    )
  const wanted = transferOf(currency, units[currency])
  // The account that the tokens come from is the payer's to choose.
  const relevant = ({ program, accounts, data }: Draft) => ({
    program,
    data: [...data],
    accounts: currency === 'sol' ? accounts : accounts.slice(1),
  })
  return (
    message.header.numSignerAccounts === 1 &&
    at(0) === payer &&
    others.length === 1 &&
    others[0] !== undefined &&
    JSON.stringify(sorted(relevant(others[0]))) === JSON.stringify(sorted(relevant(wanted)))
  )
}

/** References count in any order. */
const sorted = ({ program, accounts, data }: Draft) => {
  const references = accountsOf('sol').references
  const isReference = (account: string) => references.some((each) => each === account)
  return {
    program,
    data,
    accounts: accounts.filter((each) => !isReference(each)),
    references: [...new Set(accounts.filter(isReference))].sort(),
  }
}

/** Drives one purchase against one lie, and expects that the wallet is asked for the payment, or for nothing. */
const check = async (currency: Currency, given: readonly unknown[]): Promise<boolean> => {
  count += 1
  const { code, asked } = await (await page).pay(given)
  // An error of the library, with its page and its remedy, and never something that broke.
  expect(code).not.toMatch(/wallet-failed|chain-unavailable|unreachable|uncertain|paid/)
  for (const message of asked) expect(isPayment(message, currency)).toBe(true)
  expect(asked.length).toBe(code === 'pay.rejected' ? 1 : 0)
  return asked.length > 0
}

const bytesOf = (currency: Currency) => {
  const whole = wholeOf(currency)
  const edit = fc.record({
    at: fc.nat(whole.length - 1),
    byte: fc.nat(255),
    kind: fc.constantFrom('set', 'insert', 'delete'),
  })
  return fc.array(edit, { minLength: 1, maxLength: 4 }).map((edits) => {
    const bytes = [...whole]
    for (const { at, byte, kind } of edits) {
      if (kind === 'set') bytes[at] = byte
      else bytes.splice(at, kind === 'delete' ? 1 : 0, ...(kind === 'insert' ? [byte] : []))
    }
    return orderOf(currency, Uint8Array.from(bytes))
  })
}

const addresses = [
  payer,
  stranger,
  operator,
  mint,
  accountsOf('sol').account,
  accountsOf('usdc').account,
  ...accountsOf('sol').references,
  ...Object.values(programs),
]

const instructionsOf = (currency: Currency) => {
  const payment = transferOf(currency, units[currency])
  const draft: fc.Arbitrary<Draft> = fc.record({
    program: fc.constantFrom(...Object.values(programs), stranger),
    accounts: fc.array(fc.constantFrom(...addresses), { maxLength: 6 }),
    data: fc.oneof(fc.array(fc.nat(255), { maxLength: 14 }), fc.constant([...payment.data])),
  })
  return fc
    .record({
      drafts: fc.array(draft, { maxLength: 3 }),
      place: fc.nat(3),
      isVersioned: fc.boolean(),
      signers: fc.constantFrom([payer], [payer, stranger], [stranger], [stranger, payer]),
      tables: fc.constantFrom(0, 0, 0, 1),
    })
    .map(({ drafts, place, ...header }) =>
      orderOf(
        currency,
        encodeMessage(
          [...drafts.slice(0, place), ...(place < 3 ? [payment] : []), ...drafts.slice(place)],
          header,
        ),
      ),
    )
}

/** The transfer with some of its parts exchanged. */
const transfersOf = (currency: Currency) => {
  const payment = transferOf(currency, units[currency])
  return fc
    .record({
      at: fc.nat(payment.accounts.length - 1),
      account: fc.constantFrom(...addresses),
      amount: fc.oneof(fc.constant(units[currency]), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
      fee: fc.option(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })),
    })
    .map(({ at, account, amount, fee }) => {
      const accounts = payment.accounts.map((each, index) => (index === at ? account : each))
      const { data } = transferOf(currency, amount)
      const price = Array.from({ length: 8 }, (_, index) => Number(((fee ?? 0n) >> BigInt(8 * index)) & 255n))
      const fees: Draft[] =
        fee === null ? [] : [{ program: programs.computeBudget, accounts: [], data: [3, ...price] }]
      return orderOf(currency, encodeMessage([...fees, { ...payment, accounts, data }, memo()]))
    })
}

const paths: Path[] = [
  ['orderId'],
  ['phase'],
  ['quote'],
  ['quote', 'totalPrice'],
  ['quote', 'totalPrice', 'amount'],
  ['quote', 'totalPrice', 'currency'],
  ['quote', 'expiresAt'],
  ['payment'],
  ['payment', 'status'],
  ['payment', 'method'],
  ['payment', 'currency'],
  ['payment', 'preparation'],
  ['payment', 'preparation', 'chain'],
  ['payment', 'preparation', 'payerAddress'],
  ['payment', 'preparation', 'serializedTransaction'],
]

const fieldsOf = (currency: Currency) =>
  fc
    .record({
      path: fc.constantFrom(...paths),
      value: fc.oneof(
        fc.constantFrom(
          null,
          0,
          true,
          [],
          {},
          '',
          'sol',
          'usdc',
          'eth',
          'base',
          'solana',
          '0.5',
          '75',
          '1e3',
        ),
        fc.constantFrom(payer, stranger, operator, mint, toBase64(wholeOf('sol')), toBase64(wholeOf('usdc'))),
        fc.string(),
        fc.constant('usdc'.repeat(4_000)),
      ),
    })
    .map(({ path, value }) => change(orderOf(currency, wholeOf(currency)), path, value))

describe.each(currencies)('a hostile service, in %s', (currency) => {
  const kinds = {
    bytes: bytesOf(currency),
    instructions: instructionsOf(currency),
    transfers: transfersOf(currency),
    fields: fieldsOf(currency),
  }

  test('default: the wallet is asked for the honest payment', async () => {
    // Were it not, the tests below could not fail.
    expect(await check(currency, [orderOf(currency, wholeOf(currency))])).toBe(true)
  })

  test.each(Object.entries(kinds))('behavior: the wallet is asked for nothing else, %s', async (_, lies) => {
    await fc.assert(
      fc.asyncProperty(lies, async (order) => {
        await check(currency, [order])
      }),
      { numRuns: runsPerKind, seed: 17 },
    )
  })

  test('behavior: the wallet is asked for nothing else when the lie comes at the last moment', async () => {
    const honest = orderOf(currency, wholeOf(currency))
    const { serializedTransaction } = honest.payment.preparation ?? {}
    const lies = fc.oneof(...(Object.values(kinds) as fc.Arbitrary<unknown>[])).filter((order) => {
      const { payment } = Object(order) as Partial<Order>
      return payment?.preparation?.serializedTransaction !== serializedTransaction
    })
    await fc.assert(
      fc.asyncProperty(lies, async (order) => {
        await check(currency, [honest, order])
      }),
      { numRuns: runsPerKind, seed: 17 },
    )
  })
})

afterAll(() => {
  console.info(`${count} purchases from a hostile service`)
  expect(count).toBeGreaterThanOrEqual(10_000)
})

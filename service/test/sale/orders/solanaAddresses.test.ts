import { type Address, address, createKeyPairSignerFromPrivateKeyBytes } from '@solana/kit'
import { createTransfer, findReference, parseURL, validateTransfer } from '@solana/pay'
import { getCreateAccountWithSeedInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  fetchMaybeToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { eq } from 'drizzle-orm'
import { createSolanaRequest, getOrderAccounts } from 'kassa/chain'
import type { Order } from 'kassa/schema'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  deriveSeededAccount,
  TOKEN_PROGRAM_ADDRESS,
} from '#adapters/chains/solana/connection/derivedAddresses.js'
import { paymentTargets } from '#base/db/tables/index.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const solana = openBeforeAll(createTestSolana)
const recipient = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
const tokenProgram = TOKEN_PROGRAM_ADDRESS
/** What the goods cost in each currency. */
const prices = { sol: 150_000_000n, usdc: 22_500_000n } as const
type Currency = keyof typeof prices

let world: OrderWorld
beforeAll(async () => {
  world = await createOrderWorld({ db: solana.db, chains: [solana.chain], now: Date.now })
  await world.createCollection({ id: 'stamp', chain: 'solana', price: '0.15', currency: 'sol' })
})

type Payer = Awaited<ReturnType<typeof solana.createPayer>>

const mintOf = (currency: string): Address =>
  address(solana.chain.currencies.find((each) => each.currency === currency)?.address ?? '')

const create = async (currency: Currency, payer?: Payer): Promise<Order> => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:stamp' },
    recipient: { walletAddress: recipient },
    payment: { method: 'solana', currency, ...(payer && { payerAddress: payer.address }) },
  })
  return order
}

const settle = async (orderId: string, { look, drain, deps }: OrderWorld = world) => {
  await look()
  await drain()
  expect((await getLedger(deps)).differing).toEqual([])
  return world.get(orderId)
}

const balanceOf = async (owner: string, currency: string) =>
  (await solana.chain.wallets.getBalances(owner, [currency]))[currency] ?? 0n

/** What a wallet does that sends to an address by hand: it opens the account of a token if there is none. */
const sendByHand = async (
  { signer, transact }: Payer,
  to: string,
  { currency, units }: { currency: Currency; units: bigint },
) => {
  const owner = address(to)
  if (currency === 'sol')
    return transact([getTransferSolInstruction({ source: signer, destination: owner, amount: units })])
  const mint = mintOf(currency)
  const [source] = await findAssociatedTokenPda({ owner: signer.address, mint, tokenProgram })
  const [ata] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
  return transact([
    getCreateAssociatedTokenIdempotentInstruction({ payer: signer, ata, owner, mint, tokenProgram }),
    getTransferCheckedInstruction(
      { source, mint, destination: ata, authority: signer, amount: units, decimals: 6 },
      { programAddress: tokenProgram },
    ),
  ])
}

const rules = () => ({
  operator: solana.operator,
  tokens: { usdc: { address: mintOf('usdc'), decimals: 6 } },
})

describe('Solana’s own library for payments', () => {
  test.each(['usdc', 'sol'] as const)(
    'default: makes, finds and accepts a payment in %s',
    async (currency) => {
      const payer = await solana.createPayer()
      const order = await create(currency, payer)
      const { uri = '' } = createSolanaRequest(order, rules()) ?? {}
      const fields = parseURL(uri)
      if (!('recipient' in fields) || fields.amount === undefined) throw new Error('not a transfer request')
      const { recipient: to, amount, splToken, reference = [], memo = '' } = fields
      const transfer = { recipient: to, amount, reference, memo, ...(splToken && { splToken }) }
      const txId = await payer.transact(await createTransfer(solana.rpc, payer.signer, transfer))
      const [first] = [reference].flat()
      const found = await findReference(solana.rpc, first ?? solana.operator, { commitment: 'confirmed' })
      expect(found.signature).toBe(txId)
      await validateTransfer(solana.rpc, found.signature, transfer, { commitment: 'confirmed' })
      expect(await settle(order.orderId)).toMatchObject({
        phase: 'completed',
        payment: { status: 'completed', received: { currency, txId } },
      })
    },
  )

  test.each(['usdc', 'sol'] as const)(
    'behavior: accepts what the service prepares in %s',
    async (currency) => {
      const payer = await solana.createPayer()
      const order = await create(currency, payer)
      const { owner, references } = getOrderAccounts(solana.operator, order.orderId, undefined)
      await payer.pay(order.payment.preparation?.serializedTransaction ?? '')
      const [reference, deployment] = references.map((each) => address(each))
      if (!reference || !deployment) throw new Error('no reference')
      const { signature } = await findReference(solana.rpc, reference, { commitment: 'confirmed' })
      const amount = Number(order.quote.totalPrice?.amount)
      await validateTransfer(
        solana.rpc,
        signature,
        {
          recipient: address(owner),
          amount,
          reference: [reference, deployment],
          memo: `Order ${order.orderId}`,
          ...(currency === 'usdc' && { splToken: mintOf('usdc') }),
        },
        { commitment: 'confirmed' },
      )
      expect((await settle(order.orderId)).phase).toBe('completed')
    },
  )
})

describe('money that is sent by hand to the address of an order', () => {
  test.each(['usdc', 'sol'] as const)(
    'default: in %s, to an order of no known payer, pays it, and the merchant can refund it',
    async (currency) => {
      const payer = await solana.createPayer()
      const { orderId } = await create(currency)
      const { owner } = getOrderAccounts(solana.operator, orderId, undefined)
      const txId = await sendByHand(payer, owner, { currency, units: prices[currency] })
      expect(await settle(orderId)).toMatchObject({
        phase: 'completed',
        payment: { status: 'completed', received: { currency, txId } },
      })
      const before = await balanceOf(payer.address, currency)
      await createRefund(world.deps, world.serverCall, { orderId, body: {} })
      expect((await settle(orderId)).payment).toMatchObject({ refunded: { currency } })
      expect(await balanceOf(payer.address, currency)).toBe(before + prices[currency])
    },
  )

  test.each([
    ['usdc', 'sol'],
    ['sol', 'usdc'],
  ] as const)('behavior: %s to an order in %s goes back', async (sent, asked) => {
    const payer = await solana.createPayer()
    const { orderId } = await create(asked)
    const { owner } = getOrderAccounts(solana.operator, orderId, undefined)
    const before = await balanceOf(payer.address, sent)
    await sendByHand(payer, owner, { currency: sent, units: prices[sent] })
    expect(await balanceOf(payer.address, sent)).toBeLessThan(before)
    expect((await settle(orderId)).phase).not.toBe('completed')
    const rent = sent === 'usdc' ? 0n : 5_000n
    expect(await balanceOf(payer.address, sent)).toBe(before - rent)
  })

  test('behavior: the operator has the rent of a token account that the sender opened', async () => {
    const payer = await solana.createPayer()
    const { orderId } = await create('usdc')
    const { owner, account } = getOrderAccounts(solana.operator, orderId, mintOf('usdc'))
    await sendByHand(payer, owner, { currency: 'usdc', units: prices.usdc })
    expect((await fetchMaybeToken(solana.rpc, address(account))).exists).toBe(true)
    expect((await settle(orderId)).phase).toBe('completed')
    expect((await fetchMaybeToken(solana.rpc, address(account))).exists).toBe(false)
  })
})

describe('an order from before orders had addresses of their own', () => {
  /** Makes an order as the earlier build did, and returns where it was paid. */
  const createSeeded = async (currency: Currency) => {
    const { orderId } = await create(currency)
    const { references } = getOrderAccounts(solana.operator, orderId, undefined)
    const ofOrder = eq(paymentTargets.orderId, orderId)
    await solana.db.update(paymentTargets).set({ target: references[0], isSeeded: true }).where(ofOrder)
    const mint = currency === 'sol' ? undefined : mintOf(currency)
    return { orderId, seed: deriveSeededAccount(address(solana.operator), references[0], mint), mint }
  }

  /** The service after the upgrade, which reads these orders when it starts. */
  const upgrade = () => createOrderWorld({ db: solana.db, chains: [solana.open()], now: Date.now })

  const pay = async (payer: Payer, { seed, mint }: Awaited<ReturnType<typeof createSeeded>>) => {
    const destination = seed.address
    if (!mint)
      return payer.transact([
        getTransferSolInstruction({ source: payer.signer, destination, amount: prices.sol }),
      ])
    const operator = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7))
    const space = 165n
    const rent = await solana.rpc.getMinimumBalanceForRentExemption(space).send()
    const [source] = await findAssociatedTokenPda({ owner: payer.address, mint, tokenProgram })
    return payer.transact([
      getCreateAccountWithSeedInstruction({
        payer: payer.signer,
        newAccount: destination,
        baseAccount: operator,
        base: operator.address,
        seed: seed.seed,
        amount: rent,
        space,
        programAddress: tokenProgram,
      }),
      getInitializeAccount3Instruction(
        { account: destination, mint, owner: operator.address },
        { programAddress: tokenProgram },
      ),
      getTransferCheckedInstruction(
        { source, mint, destination, authority: payer.signer, amount: prices.usdc, decimals: 6 },
        { programAddress: tokenProgram },
      ),
    ])
  }

  test.each(['sol', 'usdc'] as const)('behavior: paid in %s, is delivered and swept', async (currency) => {
    const payer = await solana.createPayer()
    const seeded = await createSeeded(currency)
    const txId = await pay(payer, seeded)
    expect(await settle(seeded.orderId, await upgrade())).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { currency, txId } },
    })
    const { value } = await solana.rpc.getAccountInfo(seeded.seed.address, { encoding: 'base64' }).send()
    expect(value).toBeNull()
  })

  test.each(['sol', 'usdc'] as const)(
    'behavior: given the wrong currency, %s, gives it back',
    async (currency) => {
      const payer = await solana.createPayer()
      const before = await balanceOf(payer.address, currency)
      const other = currency === 'sol' ? 'usdc' : 'sol'
      const { orderId, seed: _, ...seeded } = await createSeeded(other)
      const { references } = getOrderAccounts(solana.operator, orderId, undefined)
      const mint = currency === 'sol' ? undefined : mintOf(currency)
      const seed = deriveSeededAccount(address(solana.operator), references[0], mint)
      await pay(payer, { ...seeded, orderId, seed, mint })
      expect((await settle(orderId, await upgrade())).phase).not.toBe('completed')
      const fees = currency === 'sol' ? 5_000n : 0n
      expect(await balanceOf(payer.address, currency)).toBe(before - fees)
    },
  )

  test('behavior: is paid at its new address once it is opened again', async () => {
    const payer = await solana.createPayer()
    const { orderId } = await createSeeded('usdc')
    const later = await upgrade()
    const payment = { method: 'solana', currency: 'usdc', payerAddress: payer.address } as const
    await editOrder(world.deps, world.serverCall, { orderId, body: { payment } })
    const { payment: prepared } = await world.get(orderId)
    await payer.pay(prepared.preparation?.serializedTransaction ?? '')
    expect((await settle(orderId, later)).phase).toBe('completed')
  })
})

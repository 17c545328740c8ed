import {
  type Address,
  address,
  decompileTransactionMessage,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getProgramDerivedAddress,
  type TransactionMessage,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCloseAccountInstruction,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
} from '@solana-program/token-2022'
import { eq } from 'drizzle-orm'
import { getOrderAccounts } from 'kassa/chain'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { payments, paymentTargets, wallets } from '#base/db/tables/index.js'
import { mintNft } from '#goods/nfts/mintNft.js'
import { getLedger } from '#sale/ledger/getLedger.js'
import { captureOrder, voidOrder } from '#sale/orders/captureOrder.js'
import { createRefund } from '#sale/orders/createRefund.js'
import { listRefunds } from '#sale/orders/readRefunds.js'
import { sendRefund } from '#sale/orders/refund.js'
import { editOrder } from '#sale/orders/requoteOrder.js'
import { lookForPayments } from '#sale/payments/lookForPayments.js'
import { recordLost } from '#sale/payments/recordLost.js'
import { defaultWatchOptions } from '#sale/payments/watchPayments.js'
import { limits } from '../../../../test/limits.js'
import { isChange } from '../../../../test/scope.js'
import { createFakeChain } from '../../helpers/createFakeChain.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana, withUnits } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const solana = openBeforeAll(createTestSolana)
const recipient = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'

let world: OrderWorld
let evm: ReturnType<typeof createFakeChain>
beforeAll(async () => {
  evm = createFakeChain({ now: Date.now })
  world = await createOrderWorld({ db: solana.db, chains: [solana.chain, evm.port], now: Date.now })
  await world.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
})

type Payer = Awaited<ReturnType<typeof solana.createPayer>>

const create = async (payer: Payer, currency: string, body: object = {}) => {
  const { order } = await world.create({
    lineItems: { collectionLocator: 'kassa:tea' },
    recipient: { walletAddress: recipient },
    payment: { method: 'solana', currency, payerAddress: payer.address },
    ...body,
  })
  const transaction = order.payment.preparation?.serializedTransaction
  if (!transaction) throw new Error(`nothing to sign: ${order.payment.status}`)
  return { orderId: order.orderId, transaction, order }
}

/** Asserts that every base unit of every order is accounted for. */
const expectBalanced = async () => expect((await getLedger(world.deps)).differing).toEqual([])

const settle = async (orderId: string) => {
  await world.look()
  await expectBalanced()
  await world.drain()
  await expectBalanced()
  return world.get(orderId)
}

const ownerOf = async (mintHash = '') => {
  const held = await solana.chain.wallets.findOwner({ contract: mintHash, tokenId: '' })
  return typeof held === 'object' ? held.owner : held
}

const balanceOf = async (address: string, currency: string) =>
  (await solana.chain.wallets.getBalances(address, [currency]))[currency] ?? 0n

const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
/** Derives an address that has no key, as that of a multisig's vault. */
const deriveVault = async () =>
  (await getProgramDerivedAddress({ programAddress: tokenProgram, seeds: ['vault'] }))[0]

describe('an order on Solana', () => {
  test.each(['sol', 'usdc'])('behavior: in %s, captured or voided by the merchant', async (currency) => {
    const hold = async () => {
      const payer = await solana.createPayer()
      const payment = { method: 'solana', currency, payerAddress: payer.address, capture: 'manual' }
      const { orderId, transaction } = await create(payer, currency, { payment })
      await payer.pay(transaction)
      const held = await settle(orderId)
      expect(held).toMatchObject({
        phase: 'delivery',
        payment: { status: 'completed', captureStatus: 'requires-capture' },
      })
      return { payer, orderId, received: held.payment.received }
    }
    const kept = await hold()
    await captureOrder(world.deps, world.serverCall, { orderId: kept.orderId })
    expect(await settle(kept.orderId)).toMatchObject({
      phase: 'completed',
      lineItems: [{ delivery: { status: 'completed' } }],
    })
    const voided = await hold()
    const before = await balanceOf(voided.payer.address, currency)
    await voidOrder(world.deps, world.serverCall, { orderId: voided.orderId })
    const ended = await settle(voided.orderId)
    expect(ended).toMatchObject({
      phase: 'completed',
      payment: { captureStatus: 'voided', refunded: { amount: voided.received?.amount, currency } },
      lineItems: [{ delivery: { status: 'failed' } }],
    })
    expect(await balanceOf(voided.payer.address, currency)).toBeGreaterThan(before)
  })

  test.each([
    ['sol', '0.5'],
    ['usdc', '75'],
  ])('default: paid in %s, delivered, swept', async (currency, amount) => {
    const payer = await solana.createPayer()
    const { orderId, transaction, order } = await create(payer, currency)
    expect(order.quote.totalPrice).toMatchObject({ amount, currency })
    expect(order.payment.preparation).toMatchObject({ chain: 'solana', payerAddress: payer.address })
    const txId = await payer.pay(transaction)
    const paid = await settle(orderId)
    expect(paid).toMatchObject({
      phase: 'completed',
      payment: { status: 'completed', received: { currency, amount, chain: 'solana', txId } },
    })
    const { delivery } = paid.lineItems[0] ?? {}
    const { mintHash } = delivery?.tokens?.[0] ?? {}
    expect(delivery).toMatchObject({
      status: 'completed',
      recipient: { locator: `solana:${recipient}`, walletAddress: recipient },
      tokens: [{ locator: `solana:${mintHash}`, mintHash, tokenId: expect.stringMatching(/^[1-9]\d*$/) }],
    })
    expect(await ownerOf(mintHash)).toBe(recipient)
  })

  test('behavior: paid on an EVM chain, delivered on Solana', async () => {
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: `0x${'aa'.repeat(20)}` }
    const { order } = await world.create({
      lineItems: { collectionLocator: 'kassa:tea' },
      recipient: { walletAddress: recipient },
      payment,
    })
    const { orderId } = order
    evm.pay({ orderId, currency: 'eth', units: 25_000_000_000_000_000n })
    const paid = await settle(orderId)
    expect(paid.phase).toBe('completed')
    expect(await ownerOf(paid.lineItems[0]?.delivery.tokens?.[0]?.mintHash)).toBe(recipient)
  })

  test('behavior: paid on an EVM chain whose block is lost while the mint is sent: what was sent counts as delivered', async () => {
    let loseNow = async () => {}
    const mint: typeof solana.chain.mint = async (...input) => {
      const minted = await solana.chain.mint(...input)
      await loseNow()
      return minted
    }
    const chains = [{ ...solana.chain, mint }, evm.port]
    const lossy = await createOrderWorld({ db: solana.db, chains, now: Date.now })
    await lossy.createCollection({ id: 'tea', chain: 'solana', price: '0.5', currency: 'sol' })
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: `0x${'aa'.repeat(20)}` }
    const { order } = await lossy.create({
      lineItems: { collectionLocator: 'kassa:tea' },
      recipient: { walletAddress: recipient },
      payment,
    })
    const { orderId } = order
    evm.pay({ orderId, currency: 'eth', units: 25_000_000_000_000_000n })
    loseNow = async () => {
      const rows = await solana.db.select().from(payments).where(eq(payments.orderId, orderId))
      await recordLost(lossy.deps, rows)
    }
    await lossy.look()
    await lossy.drain()
    const { lineItems, payment: lost } = await lossy.get(orderId)
    expect(lost.failureReason).toMatchObject({ code: 'unknown' })
    expect(lineItems).toMatchObject([{ delivery: { status: 'completed' } }])
    expect(await ownerOf(lineItems[0]?.delivery.tokens?.[0]?.mintHash)).toBe(recipient)
  })

  test('behavior: delivered to the wallet that the service keeps for an e-mail address', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'sol', { recipient: { email: 'ada@example.com' } })
    await payer.pay(transaction)
    const { phase, lineItems } = await settle(orderId)
    const [wallet] = await solana.db.select().from(wallets)
    expect(wallet).toMatchObject({
      type: 'solana-mpc-wallet',
      userLocator: 'email:ada@example.com',
      adminSigner: { type: 'solana-kassa-custodial', address: wallet?.address },
    })
    expect(phase).toBe('completed')
    expect(await ownerOf(lineItems[0]?.delivery.tokens?.[0]?.mintHash)).toBe(wallet?.address)
  })

  test('behavior: an underpayment waits, and goes back when the quote ends', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'usdc')
    const before = await balanceOf(payer.address, 'usdc')
    await payer.pay(transaction, withUnits(1_000_000n))
    expect((await settle(orderId)).phase).toBe('payment')
    expect(await balanceOf(payer.address, 'usdc')).toBe(before - 1_000_000n)
    await world.endQuote(orderId)
    expect((await settle(orderId)).phase).toBe('quote')
    expect(await balanceOf(payer.address, 'usdc')).toBe(before)
  })

  test('behavior: two payments make the whole price', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'usdc')
    const before = await balanceOf(payer.address, 'usdc')
    await payer.pay(transaction, withUnits(1_000_000n))
    await payer.pay(transaction, withUnits(74_000_000n))
    expect((await settle(orderId)).phase).toBe('completed')
    expect(await balanceOf(payer.address, 'usdc')).toBe(before - 75_000_000n)
  })

  test('behavior: an underpayment goes back once the buyer pays the whole price', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'usdc')
    const before = await balanceOf(payer.address, 'usdc')
    await payer.pay(transaction, withUnits(1_000_000n))
    expect((await settle(orderId)).phase).toBe('payment')
    await payer.pay(transaction)
    expect((await settle(orderId)).phase).toBe('completed')
    expect(await balanceOf(payer.address, 'usdc')).toBe(before - 75_000_000n)
  })

  test.each([
    ['sol', 500_000_000n, 700_000_000n],
    ['usdc', 75_000_000n, 90_000_000n],
  ])('behavior: what is too much in %s is returned', async (currency, due, units) => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, currency)
    const before = await balanceOf(payer.address, currency)
    await payer.pay(transaction, withUnits(units))
    expect((await settle(orderId)).phase).toBe('completed')
    const fee = currency === 'sol' ? 5_000n : 0n
    expect(await balanceOf(payer.address, currency)).toBe(before - due - fee)
  })

  test('behavior: a second payment is returned', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'usdc')
    const before = await balanceOf(payer.address, 'usdc')
    await payer.pay(transaction)
    await payer.pay(transaction, withUnits(75_000_001n))
    expect((await settle(orderId)).phase).toBe('completed')
    expect(await balanceOf(payer.address, 'usdc')).toBe(before - 75_000_000n)
  })

  test('behavior: what a program’s account paid waits until an address is named', async () => {
    const payer = await solana.createPayer()
    const { orderId, transaction } = await create(payer, 'usdc')
    await payer.pay(transaction, withUnits(1_000_000n))
    const vault = await deriveVault()
    const { findPayments } = solana.chain
    const find = vi.spyOn(solana.chain, 'findPayments').mockImplementation(async (input) => {
      const found = await findPayments(input)
      return found.map((paid) => ({ ...paid, payer: vault, signers: [] }))
    })
    await world.look()
    find.mockRestore()
    await world.endQuote(orderId)
    expect((await settle(orderId)).payment).toMatchObject({ refundHeld: { reason: 'contract-payer' } })
    const body = { payment: { refundAddress: recipient } }
    const before = await balanceOf(recipient, 'usdc')
    await editOrder(world.deps, world.secretCall(orderId), { orderId, body })
    expect((await settle(orderId)).payment).toMatchObject({ refunded: { amount: '0.694108' } })
    // What the account of its recipient cost was taken off.
    expect(await balanceOf(recipient, 'usdc')).toBe(before + 694_108n)
  })

  test('behavior: an account without a key is a program or an address off the curve', async () => {
    const { address: account } = await solana.createPayer()
    expect(await solana.chain.isContract(account)).toBe(false)
    expect(await solana.chain.isContract(tokenProgram)).toBe(true)
    const vault = await deriveVault()
    expect(await solana.chain.isContract(vault)).toBe(true)
  })

  test('behavior: a payment by the wrong currency of the chain is returned', async () => {
    const payer = await solana.createPayer()
    const { orderId } = await create(payer, 'usdc')
    const before = await balanceOf(payer.address, 'sol')
    const prepared = await solana.chain.preparePayment({
      orderId,
      payer: payer.address,
      currency: 'sol',
      units: 500_000_000n,
      deadlineMs: Date.now() + 60_000,
    })
    await payer.pay(prepared.status === 'ready' ? prepared.serializedTransaction : '')
    expect((await settle(orderId)).phase).toBe('payment')
    expect(await balanceOf(payer.address, 'sol')).toBe(before - 5_000n)
  })

  test('behavior: an order counts against the network of a buyer, and a merchant’s server against none', async () => {
    const payer = await solana.createPayer()
    const prepare = vi.spyOn(solana.chain, 'preparePayment')
    const body = {
      lineItems: { collectionLocator: 'kassa:tea' },
      recipient: { walletAddress: recipient },
      payment: { method: 'solana', currency: 'usdc', payerAddress: payer.address },
    }
    const { projectId, serverCall } = world
    const actor = { kind: 'client-key', keyId: 'k', projectId, scopes: ['orders.create'] } as const
    const client = { network: '203.0.113.7' }
    await world.create(body, { ...serverCall, actor: { ...actor, scopes: [...actor.scopes] }, client })
    await world.create(body, { ...serverCall, client })
    const asked = prepare.mock.calls.map(([input]) => [input.projectId, input.network])
    prepare.mockRestore()
    expect(asked).toEqual([
      [projectId, '203.0.113.7'],
      [projectId, undefined],
    ])
  })

  describe('a payer who closes the token account after each payment', () => {
    /** What the rent of an account is in USDC, at 150 dollars for one SOL. */
    const fee = 305_892n
    const usdc = (units: bigint) => `${Number(units) / 1e6}`
    /** Moves what is left in the payer's token account away, and closes it. */
    const closeAccount = async ({ signer: owner, transact }: Payer) => {
      const mint = solana.chain.currencies.find(({ currency }) => currency === 'usdc')?.address as Address
      const [account] = await findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram })
      const [treasury] = await findAssociatedTokenPda({ owner: address(solana.operator), mint, tokenProgram })
      const amount = await balanceOf(owner.address, 'usdc')
      const programs = { programAddress: tokenProgram }
      await transact([
        getCreateAssociatedTokenIdempotentInstruction({
          payer: owner,
          ata: treasury,
          owner: address(solana.operator),
          mint,
          tokenProgram,
        }),
        getTransferInstruction(
          { source: account, destination: treasury, authority: owner, amount },
          programs,
        ),
        getCloseAccountInstruction({ account, destination: owner.address, owner }, programs),
      ])
    }

    test('behavior: bears the rent of each refund, which the order says', async () => {
      const payer = await solana.createPayer()
      const { orderId, transaction } = await create(payer, 'usdc')
      await payer.pay(transaction, withUnits(10_000_000n))
      await closeAccount(payer)
      await settle(orderId)
      await world.endQuote(orderId)
      const rest = usdc(10_000_000n - fee)
      expect((await settle(orderId)).payment.refunded).toMatchObject({
        amount: rest,
        currency: 'usdc',
        fee: { amount: usdc(fee), currency: 'usdc' },
      })
      expect(await balanceOf(payer.address, 'usdc')).toBe(10_000_000n - fee)
    })

    test('behavior: bears it of a merchant’s refund from the treasury, too', async () => {
      const payer = await solana.createPayer()
      const { orderId, transaction } = await create(payer, 'usdc')
      await payer.pay(transaction)
      await settle(orderId)
      await closeAccount(payer)
      const before = await balanceOf(solana.operator, 'usdc')
      await createRefund(world.deps, world.serverCall, { orderId, body: { amount: '20' } })
      const { payment } = await settle(orderId)
      expect(payment.refunded).toMatchObject({
        amount: usdc(20_000_000n - fee),
        fee: { amount: usdc(fee), currency: 'usdc' },
      })
      expect(before - (await balanceOf(solana.operator, 'usdc'))).toBe(20_000_000n - fee)
      const { data } = await listRefunds(world.deps, world.serverCall, {
        orderId,
        page: { page: 1, perPage: 100 },
      })
      expect(data).toMatchObject([{ amount: '20', fee: { amount: usdc(fee), currency: 'usdc' } }])
    })

    test('behavior: is refunded nothing that the rent is worth more than', async () => {
      const payer = await solana.createPayer()
      const { orderId, transaction } = await create(payer, 'usdc')
      await payer.pay(transaction, withUnits(fee))
      await closeAccount(payer)
      await settle(orderId)
      await world.endQuote(orderId)
      expect((await settle(orderId)).payment.refundHeld).toMatchObject({ reason: 'below-fee' })
    })
  })

  describe('a transfer that names nothing of the order', () => {
    beforeAll(() => world.createCollection({ id: 'stamp', chain: 'solana', price: '0.15', currency: 'sol' }))
    const lineItems = { collectionLocator: 'kassa:stamp' }
    const accountsOf = (orderId: string, mint?: Address) => {
      const { account, references } = getOrderAccounts(solana.operator, orderId, mint)
      return { account: account as Address, references: references as readonly string[] }
    }

    type Way = (payer: Payer, order: { orderId: string; transaction: string }) => Promise<string>
    const coins = 150_000_000n
    const byHand: Way = ({ signer: source, transact }, { orderId }) => {
      const destination = accountsOf(orderId).account
      return transact([getTransferSolInstruction({ source, destination, amount: coins })])
    }
    /** Takes the references out of what the service prepared, as some wallets do. */
    const withoutReferences: Way = ({ transact }, { orderId, transaction }) => {
      const decoded = getCompiledTransactionMessageDecoder().decode(getBase64Encoder().encode(transaction))
      const { instructions } = decompileTransactionMessage(decoded) as TransactionMessage
      const names = accountsOf(orderId).references
      return transact(
        instructions.map(({ accounts = [], ...each }) => {
          return { ...each, accounts: accounts.filter(({ address: name }) => !names.includes(name)) }
        }),
      )
    }
    /** Closes a token account into the order's account: a program moves the coins, and no instruction transfers them. */
    const byProgram: Way = async ({ signer: owner, transact }, { orderId }) => {
      const mint = solana.chain.currencies.find(({ currency }) => currency === 'usdxm')?.address as Address
      const programs = { programAddress: tokenProgram }
      const [ata] = await findAssociatedTokenPda({ owner: owner.address, mint, tokenProgram })
      const destination = accountsOf(orderId).account
      const rent = await solana.rpc.getMinimumBalanceForRentExemption(165n).send()
      return transact([
        getCreateAssociatedTokenIdempotentInstruction({
          payer: owner,
          ata,
          owner: owner.address,
          mint,
          tokenProgram,
        }),
        getTransferSolInstruction({ source: owner, destination: ata, amount: coins - rent }),
        getCloseAccountInstruction({ account: ata, destination, owner }, programs),
      ])
    }
    const tokens =
      (isChecked: boolean): Way =>
      async ({ signer: authority, transact }, { orderId }) => {
        const mint = solana.chain.currencies.find(({ currency }) => currency === 'usdc')?.address as Address
        const [source] = await findAssociatedTokenPda({ owner: authority.address, mint, tokenProgram })
        const destination = accountsOf(orderId, mint).account
        const input = { source, mint, destination, authority, amount: 22_500_000n, decimals: 6 }
        const terms = { programAddress: tokenProgram }
        return transact([
          isChecked ? getTransferCheckedInstruction(input, terms) : getTransferInstruction(input, terms),
        ])
      }

    test.each<[string, string, Way]>([
      ['by hand', '0.15 sol', byHand],
      ['by a wallet that leaves the references out', '0.15 sol', withoutReferences],
      ['by a program', '0.15 sol', byProgram],
      ['by hand', '22.5 usdc', tokens(true)],
      ['by hand, unchecked', '22.5 usdc', tokens(false)],
      ['by a wallet that leaves the references out', '22.5 usdc', withoutReferences],
    ])('behavior: %s, %s pays the order, and can be refunded', async (_, price, send) => {
      const [amount = '', currency = ''] = price.split(' ')
      const payer = await solana.createPayer()
      const created = await create(payer, currency, { lineItems })
      const { orderId } = created
      expect(created.order.quote.totalPrice).toMatchObject({ amount, currency })
      const txId = await send(payer, created)
      expect(await settle(orderId)).toMatchObject({
        phase: 'completed',
        payment: { status: 'completed', received: { amount, currency, txId } },
        lineItems: [{ delivery: { status: 'completed' } }],
      })
      const before = await balanceOf(payer.address, currency)
      await createRefund(world.deps, world.serverCall, { orderId, body: {} })
      expect((await settle(orderId)).payment).toMatchObject({ refunded: { amount, currency } })
      const units = currency === 'sol' ? coins : 22_500_000n
      expect((await balanceOf(payer.address, currency)) - before).toBe(units)
    })

    test('behavior: part of the price goes back when the quote ends, and what comes late too', async () => {
      const payer = await solana.createPayer()
      const { orderId } = await create(payer, 'usdc', { lineItems })
      const before = await balanceOf(payer.address, 'sol')
      await byHand(payer, { orderId, transaction: '' })
      await settle(orderId)
      expect(await balanceOf(payer.address, 'sol')).toBe(before - 5_000n)
      await world.endQuote(orderId)
      await settle(orderId)
      await solana.db.update(paymentTargets).set({ liveUntil: new Date(0) })
      await byHand(payer, { orderId, transaction: '' })
      const head = await solana.chain.getHead()
      await expect
        .poll(solana.chain.getFinalBlock, { timeout: limits.conditionMs })
        .toBeGreaterThan(head.number)
      await lookForPayments(world.deps, solana.chain, { ...defaultWatchOptions, lateEveryMs: 0 })
      await settle(orderId)
      expect(await balanceOf(payer.address, 'sol')).toBe(before - 10_000n)
    })
  })

  test.each([
    ['sol', 500_000_000n, '0.5', '0.2'],
    ['usdc', 75_000_000n, '75', '30'],
  ])(
    'behavior: the merchant refunds a sold order in %s from the treasury, once',
    async (currency, ...sums) => {
      const [price, whole, amount] = sums
      const payer = await solana.createPayer()
      const { orderId, transaction } = await create(payer, currency)
      await payer.pay(transaction)
      expect((await settle(orderId)).phase).toBe('completed')
      const { operator } = solana
      const [before, treasury] = [
        await balanceOf(payer.address, currency),
        await balanceOf(operator, currency),
      ]
      const refund = (body: object) => createRefund(world.deps, world.serverCall, { orderId, body })
      const { refundId } = await refund({ amount })
      // Two processes send it at once.
      await Promise.all([1, 2].map(() => sendRefund(world.deps)({ orderId, refundId })))
      await refund({})
      await expect(refund({})).rejects.toMatchObject({ code: 'conflict' })
      const { payment } = await settle(orderId)
      expect(payment).toMatchObject({ refunded: { amount: whole, currency }, balances: { refundable: '0' } })
      expect((await balanceOf(payer.address, currency)) - before).toBe(price)
      if (currency === 'usdc') expect(treasury - (await balanceOf(operator, currency))).toBe(price)
      // The payment is the order's only one.
      expect(payment.received).toMatchObject({ amount: whole })
    },
  )

  test('behavior: many buyers at once get one token each, and the books show no difference', async () => {
    const buyers = isChange ? 25 : 100
    await world.createCollection({
      id: 'drop',
      chain: 'solana',
      price: '0.5',
      currency: 'sol',
      supplyLimit: buyers,
    })
    const lineItems = { collectionLocator: 'kassa:drop' }
    const payers = await Promise.all(Array.from({ length: buyers }, () => solana.createPayer()))
    const orders: Awaited<ReturnType<typeof create>>[] = []
    // Ten at a time: on a slow machine the node of this process answers a hundred at once later than a request waits.
    for (let at = 0; at < buyers; at += 10) {
      const ten = payers.slice(at, at + 10).map((payer) => create(payer, 'sol', { lineItems }))
      orders.push(...(await Promise.all(ten)))
    }
    await Promise.all(orders.map(({ transaction }, at) => payers[at]?.pay(transaction)))
    await world.look()
    // Two processes run the same jobs.
    await Promise.all([world.drain(), world.drain()])
    await expectBalanced()
    const done = await Promise.all(orders.map(({ orderId }) => world.get(orderId)))
    expect(done.map(({ phase }) => phase)).toEqual(new Array(buyers).fill('completed'))
    const mints = done.map((order) => order.lineItems[0]?.delivery.tokens?.[0]?.mintHash)
    expect(new Set(mints).size).toBe(buyers)
    // One after the other, for the same reason.
    for (const mint of mints) expect(await ownerOf(mint)).toBe(recipient)
  })
})

describe('error: input-invalid', () => {
  test.each([
    ['an EVM address', `0x${'00'.repeat(20)}`],
    ['base58 of 31 bytes', '4vJ9JU1bJJE96FWSJKvHsmmFADCg4gpZQff4P3bkLKi'.slice(0, 42)],
  ])('%s as the recipient', async (_, walletAddress) => {
    await expect(
      world.create({ lineItems: { collectionLocator: 'kassa:tea' }, recipient: { walletAddress } }),
    ).rejects.toThrow(/^recipient\.walletAddress: \w+ is not an address on solana$/)
  })

  test('an EVM address as the payer', async () => {
    await expect(
      world.create({
        lineItems: { collectionLocator: 'kassa:tea' },
        recipient: { walletAddress: recipient },
        payment: { method: 'solana', currency: 'sol', payerAddress: `0x${'00'.repeat(20)}` },
      }),
    ).rejects.toThrow(/^payment\.payerAddress: 0x\w+ is not an address on solana$/)
  })

  test('an address on Solana for a collection on an EVM chain, as recipient, payer and recipient of a mint', async () => {
    await world.createCollection({ id: 'evm-tea' })
    const lineItems = { collectionLocator: 'kassa:evm-tea' }
    await expect(world.create({ lineItems, recipient: { walletAddress: recipient } })).rejects.toThrow(
      /^recipient\.walletAddress: \w+ is not an address on base-sepolia$/,
    )
    const payment = { method: 'base-sepolia', currency: 'eth', payerAddress: recipient }
    const walletAddress = `0x${'11'.repeat(20)}`
    await expect(world.create({ lineItems, recipient: { walletAddress }, payment })).rejects.toThrow(
      /^payment\.payerAddress: \w+ is not an address on base-sepolia$/,
    )
    const metadata = { name: 'Oolong', image: 'ipfs://oolong' }
    const mint = (to: string) => {
      const body = { recipient: to, metadata, reuploadLinkedFiles: false }
      return mintNft(world.deps, world.serverCall, { collectionId: 'evm-tea', body })
    }
    await expect(mint(`base-sepolia:${recipient}`)).rejects.toThrow('recipient: ')
    await expect(mint(`solana:${recipient}`)).rejects.toThrow(
      'recipient: the collection is on base-sepolia, not on solana',
    )
  })

  test('a blockhash that is gone', async () => {
    const payer = await solana.createPayer()
    const { transaction } = await create(payer, 'sol')
    const signed = await payer.sign(transaction)
    for (let blocks = 0; blocks < 151; blocks++) solana.node.tick()
    await expect(payer.send(signed)).rejects.toMatchObject({
      cause: expect.objectContaining({ message: expect.stringMatching(/blockhash/i) }),
    })
  })
})

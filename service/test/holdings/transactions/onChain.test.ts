import { eq } from 'drizzle-orm'
import { Transaction, Wallet } from 'kassa/schema'
import { type Abi, type Address, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { wallets, walletTransactions } from '#base/db/tables/index.js'
import { requireOperations } from '#holdings/transactions/actingWallet.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
import { createCaller } from '../../helpers/createCaller.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'

const chain = 'base-sepolia'
const v1 = '/api/2022-06-09/wallets'
const oneEther = 10n ** 18n

let world: Awaited<ReturnType<typeof createTestChain>>
/** Here wallets pay for their own gas, and the test runs the jobs. */
let service: TestService
beforeAll(async () => {
  world = await createTestChain()
  service = await createTestService({ chains: [world.chain], config: { sponsorsGas: false } })
})
afterAll(async () => {
  await service.close()
  await world.close()
})

const ask = (status: number, method: string, path: string, body?: unknown, of = service) =>
  createCaller(of).ask(status, method, path, body)

const createWallet = async (
  type: 'evm-smart-wallet' | 'evm-mpc-wallet',
  its: TestService = service,
  adminSigner?: object,
) => {
  const asked = { type, ...(adminSigner && { config: { adminSigner } }) }
  const { address: text } = z.parse(Wallet, await ask(201, 'POST', v1, asked, its))
  const [row] = (await its.deps.db.select().from(wallets)).filter((one) => one.address === text)
  const address = getAddress(text)
  const path = `${v1}/${address}/transactions`
  const send = createTransactionHandlers(its.deps)['transactions.send']
  const signer = { kind: 'account' as const, address: row?.adminSigner.address ?? '' }
  return {
    address,
    path,
    ref: { signer, salt: row?.id ?? '' },
    give: (value: bigint) => world.client.setBalance({ address, value }),
    create: async (to: Address, value: bigint) => {
      const call = { to, value: `${value}`, data: '0x' }
      const params = { chain, ...(type === 'evm-mpc-wallet' ? { call } : { calls: [call] }) }
      return z.parse(Transaction, await ask(201, 'POST', path, { params }, its)).id
    },
    run: () => send({ walletId: row?.id ?? '', chain }),
    get: async (id: string) => z.parse(Transaction, await ask(200, 'GET', `${path}/${id}`, undefined, its)),
    nonce: () =>
      world.client.readContract({
        address: walletDeployments.entryPoint.address,
        abi: EntryPoint.abi as Abi,
        functionName: 'getNonce',
        args: [address, 0n],
      }),
  }
}
const someone = () => privateKeyToAccount(generatePrivateKey()).address
const balanceOf = (address: Address) => world.client.getBalance({ address })

test('behavior: a transaction that can no longer pay for its gas fails, and those behind it continue', async () => {
  const wallet = await createWallet('evm-smart-wallet')
  const friends = [someone(), someone(), someone()] as const
  await wallet.give(oneEther)
  const first = await wallet.create(friends[0], 5n)
  const second = await wallet.create(friends[1], 6n)
  await wallet.give(0n)
  await wallet.run()
  for (const id of [first, second]) {
    expect(await wallet.get(id)).toMatchObject({
      status: 'failed',
      error: { reason: expect.stringMatching(/.+/), message: expect.stringMatching(/AA21|pay|prefund/i) },
    })
  }
  // Both nonces are used, so that neither operation can ever land.
  expect(await wallet.nonce()).toBe(2n)
  await wallet.give(oneEther)
  const third = await wallet.create(friends[2], 7n)
  await wallet.run()
  expect(await wallet.get(third)).toMatchObject({ status: 'success' })
  expect(await Promise.all(friends.map(balanceOf))).toEqual([0n, 0n, 7n])
  // It paid for its own gas.
  expect(await balanceOf(wallet.address)).toBeLessThan(oneEther - 7n)
})

test('behavior: a transaction that offers less than its chain asks waits an hour, then fails, and those behind it continue', async () => {
  const wallet = await createWallet('evm-smart-wallet')
  const friends = [someone(), someone()] as const
  await wallet.give(oneEther)
  const first = await wallet.create(friends[0], 5n)
  const { baseFeePerGas } = await world.client.getBlock()
  const setBaseFee = async (fee: bigint) => {
    await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: fee })
    await world.client.mine({ blocks: 1 })
  }
  await setBaseFee((baseFeePerGas ?? 1n) * 100n)
  const second = await wallet.create(friends[1], 6n)
  const before = await balanceOf(world.operator)
  await expect(wallet.run()).rejects.toMatchObject({
    code: 'chain-unavailable',
    message: expect.stringContaining('wei per unit of gas'),
  })
  expect(await wallet.get(first)).toMatchObject({ status: 'pending' })
  await service.deps.db
    .update(walletTransactions)
    .set({ createdAt: new Date(Date.now() - 61 * 60_000) })
    .where(eq(walletTransactions.id, first))
  await wallet.run()
  expect(await wallet.get(first)).toMatchObject({
    status: 'failed',
    error: {
      reason: 'failed_to_land_on_chain',
      message: expect.stringMatching(/takes \d+ wei per unit of gas, but the operation offers \d+/),
    },
  })
  expect(await wallet.get(second)).toMatchObject({ status: 'success' })
  expect(await wallet.nonce()).toBe(2n)
  // The wallet paid for both, despite the high price.
  expect(await balanceOf(world.operator)).toBeGreaterThanOrEqual(before)
  await setBaseFee(baseFeePerGas ?? 1n)
  expect(await Promise.all(friends.map(balanceOf))).toEqual([0n, 6n])
})

test('behavior: an operation that is on chain already is not reported as failed, even if its chain’s price has risen', async () => {
  const deep = world.open({ confirmations: 3 })
  const patient = await createTestService({ chains: [deep], config: { sponsorsGas: false } })
  const wallet = await createWallet('evm-smart-wallet', patient)
  await wallet.give(oneEther)
  const friend = someone()
  const id = await wallet.create(friend, 5n)
  const { db } = patient.deps
  const isIt = eq(walletTransactions.id, id)
  await db
    .update(walletTransactions)
    .set({ createdAt: new Date(Date.now() - 61 * 60_000) })
    .where(isIt)
  const [kept] = await db.select().from(walletTransactions).where(isIt)
  if (!kept?.operation) throw new Error('no operation')
  // A third party that saw the signed operation bundles it. Its block may still be reverted.
  await requireOperations(world.chain).send('elsewhere', {
    operations: [kept.operation],
    errors: [[]],
    wallet: wallet.ref,
  })
  const { baseFeePerGas } = await world.client.getBlock()
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 1n) * 1_000n })
  await world.client.mine({ blocks: 1 })
  await expect(wallet.run()).rejects.toThrow(/may still take back/)
  expect(await wallet.get(id)).toMatchObject({ status: 'pending' })
  await world.client.mine({ blocks: 3 })
  await wallet.run()
  expect(await wallet.get(id)).toMatchObject({ status: 'success' })
  expect(await balanceOf(friend)).toBe(5n)
  await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFeePerGas ?? 1n })
  await world.client.mine({ blocks: 1 })
  await patient.close()
})

test('error: reverted: a wallet that pays for its gas creates no more transactions than it can pay for', async () => {
  const wallet = await createWallet('evm-smart-wallet')
  await wallet.give(oneEther)
  const first = await wallet.create(someone(), oneEther / 2n)
  const params = { chain, calls: [{ to: someone(), value: `${oneEther / 2n}`, data: '0x' }] }
  expect(await ask(422, 'POST', wallet.path, { params })).toMatchObject({
    error: {
      reason: 'execution_reverted',
      revert: {
        type: 'wallet_authorization',
        reason: expect.stringContaining('Pending transactions may take'),
      },
    },
  })
  await wallet.run()
  expect(await wallet.get(first)).toMatchObject({ status: 'success' })
  // Its nonce was not assigned.
  const second = await wallet.create(someone(), 5n)
  await wallet.run()
  expect(await wallet.get(second)).toMatchObject({ status: 'success' })
})

test('behavior: what an owner has approved does not wait for another operation that offers too little', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const wallet = await createWallet('evm-smart-wallet', service, {
    type: 'evm-keypair',
    address: owner.address,
  })
  await wallet.give(oneEther)
  const approve = async (id: string) => {
    const { approvals } = await wallet.get(id)
    const raw = approvals?.pending?.[0]?.message as Hex
    const approval = { signer: owner.address, signature: await owner.signMessage({ message: { raw } }) }
    await ask(201, 'POST', `${wallet.path}/${id}/approvals`, { approvals: [approval] })
  }
  const cheap = await wallet.create(someone(), 5n)
  const { baseFeePerGas } = await world.client.getBlock()
  const setBaseFee = async (fee: bigint) => {
    await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas: fee })
    await world.client.mine({ blocks: 1 })
  }
  await setBaseFee((baseFeePerGas ?? 1n) * 100n)
  const dear = await wallet.create(someone(), 6n)
  await approve(cheap)
  await approve(dear)
  await expect(wallet.run()).rejects.toThrow(/wei per unit of gas/)
  expect(await wallet.get(cheap)).toMatchObject({ status: 'pending' })
  expect(await wallet.get(dear)).toMatchObject({ status: 'success' })
  await setBaseFee(baseFeePerGas ?? 1n)
  await wallet.run()
  expect(await wallet.get(cheap)).toMatchObject({ status: 'success' })
})

test('behavior: an account that lacks the coins at the end fails with the reason, and continues', async () => {
  const wallet = await createWallet('evm-mpc-wallet')
  const friends = [someone(), someone()] as const
  await wallet.give(oneEther)
  const first = await wallet.create(friends[0], oneEther / 2n)
  await wallet.give(oneEther / 4n)
  const second = await wallet.create(friends[1], 9n)
  await wallet.run()
  expect(await wallet.get(first)).toMatchObject({
    status: 'failed',
    error: { reason: 'build_failed', message: expect.stringContaining('wei') },
  })
  expect(await wallet.get(second)).toMatchObject({ status: 'success' })
  expect(await Promise.all(friends.map(balanceOf))).toEqual([0n, 9n])
})

test('behavior: an operation that a third party has bundled succeeds, and is not sent again', async () => {
  const wallet = await createWallet('evm-smart-wallet')
  await wallet.give(oneEther)
  const friend = someone()
  const id = await wallet.create(friend, 5n)
  const [kept] = await service.deps.db.select().from(walletTransactions).where(eq(walletTransactions.id, id))
  if (!kept?.operation) throw new Error('no operation')
  // A third party that saw the signed operation bundles it.
  const sent = await requireOperations(world.chain).send('outside', {
    operations: [kept.operation],
    errors: [[]],
    wallet: wallet.ref,
  })
  expect(sent.status).toBe('included')
  await wallet.run()
  expect(await wallet.get(id)).toMatchObject({
    status: 'success',
    onChain: { txId: expect.stringMatching(/^0x/) },
  })
  expect(await balanceOf(friend)).toBe(5n)
})

import { Transaction, Wallet } from 'kassa/schema'
import { encodeFunctionData, getAddress, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { packOperation } from '#adapters/chains/evm/accounts/userOperation.js'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { wallets } from '#base/db/tables/index.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
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

const ask = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const response = await service.app.request(path, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': service.serverKey },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  expect(response.status).toBeLessThan(300)
  return response.json()
}

/** Bundles an operation from outside the service, which is possible because every answer shows it. */
const asBundle = (shown: Transaction, signature?: string) => {
  if (shown.walletType !== 'evm-smart-wallet') throw new Error('no smart wallet’s')
  const { userOperation } = shown.onChain
  const operation = packOperation({ ...userOperation, ...(signature && { signature }) })
  return { ...EntryPoint, functionName: 'handleOps', args: [[operation], world.operator] } as const
}
const address = walletDeployments.entryPoint.address
const tryBundle = async (shown: Transaction, signature?: string) => {
  const { address: account } = await world.createPayer()
  return world.client.simulateContract({ account, address, ...asBundle(shown, signature) })
}
const sendBundle = async (shown: Transaction) => {
  const other = await world.createPayer()
  const raw = await other.sign({ to: address, data: encodeFunctionData(asBundle(shown)) })
  const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
  await world.client.waitForTransactionReceipt({ hash })
}

test('behavior: what its owner signed lands until its deadline, and fails only once it cannot land', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const friend = privateKeyToAccount(generatePrivateKey()).address
  const adminSigner = { type: 'evm-keypair', address: owner.address }
  const made = z.parse(Wallet, await ask('POST', v1, { type: 'evm-smart-wallet', config: { adminSigner } }))
  const wallet = getAddress(made.address)
  const [row] = (await service.deps.db.select().from(wallets)).filter((one) => one.address === made.address)
  const path = `${v1}/${wallet}/transactions`
  const handlers = createTransactionHandlers(service.deps)
  const run = () => handlers['transactions.send']({ walletId: row?.id ?? '', chain })
  const expire = (transactionId: string) => handlers['transactions.expire']({ transactionId })
  const give = (value: bigint) => world.client.setBalance({ address: wallet, value })
  const get = async (id: string) => z.parse(Transaction, await ask('GET', `${path}/${id}`))
  const create = async () => {
    const params = { chain, calls: [{ to: friend, value: '5', data: '0x' }] }
    const { id, approvals } = z.parse(Transaction, await ask('POST', path, { params }))
    const raw = approvals?.pending?.[0]?.message as Hex
    const approval = { signer: owner.address, signature: await owner.signMessage({ message: { raw } }) }
    await ask('POST', `${path}/${id}/approvals`, { approvals: [approval] })
    return id
  }

  await give(oneEther)
  const [landing, lost] = [await create(), await create()]
  // Another transaction of the wallet spends its coins.
  await give(0n)
  await run()
  for (const id of [landing, lost]) {
    expect(await get(id)).toMatchObject({ status: 'pending' })
    await expect(expire(id)).rejects.toThrow(/may still land/)
  }
  await give(oneEther)
  const inTime = await create()
  await run()
  expect(await get(inTime)).toMatchObject({ status: 'success' })
  await sendBundle(await get(landing))
  const shown = await get(lost)
  await tryBundle(shown)

  await service.advance(3_662_000)
  await expect(expire(lost)).rejects.toThrow(/may still land/)
  await world.client.increaseTime({ seconds: 3_662 })
  await world.client.mine({ blocks: 1 })
  await expect(tryBundle(shown)).rejects.toThrow(/AA22 expired or not due/)
  await expect(tryBundle(shown, `0x${'11'.repeat(64)}1b`)).rejects.toThrow(/AA24 signature error/)
  for (const id of [landing, lost]) await expire(id)
  await run()
  expect(await get(landing)).toMatchObject({ status: 'success', onChain: { txId: expect.any(String) } })
  expect(await get(lost)).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/AA21|pay|prefund/i) },
  })
  expect(await world.client.getBalance({ address: friend })).toBe(10n)
})

import { Transaction, Wallet } from 'kassa/schema'
import { type Abi, type Address, getAddress, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { createHandlers } from '#entry/createHandlers.js'
import { createTestChain } from '../../helpers/createTestChain.js'
import { createTestService, type TestService } from '../../helpers/createTestService.js'

const chain = 'base-sepolia'
const v1 = '/api/2022-06-09'
const many = 100
const abi = parseAbi(['function mint(address to, uint256 amount)'])

let world: Awaited<ReturnType<typeof createTestChain>>
let service: TestService
let usdc: Address
beforeAll(async () => {
  world = await createTestChain()
  usdc = getAddress(world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
  service = await createTestService({ chains: [world.chain], handlers: createHandlers })
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
  const answer: unknown = await response.json()
  expect(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`).toBe(true)
  return answer
}

/** A transaction that mints one unit to a new address. */
const createHundred = async (body: object) => {
  const wallet = z.parse(Wallet, await ask('POST', `${v1}/wallets`, body))
  const path = `${v1}/wallets/${wallet.address}/transactions`
  const created = await Promise.all(
    Array.from({ length: many }, async () => {
      const recipient = privateKeyToAccount(generatePrivateKey()).address
      const call = { address: usdc, functionName: 'mint', abi, args: [recipient, '1'] }
      const what = wallet.type === 'evm-smart-wallet' ? { calls: [call] } : { call }
      const transaction = z.parse(Transaction, await ask('POST', path, { params: { ...what, chain } }))
      return { recipient, transaction }
    }),
  )
  return { address: getAddress(wallet.address), path, created }
}
type Hundred = Awaited<ReturnType<typeof createHundred>>

const Page = z.looseObject({ transactions: z.array(Transaction) })

/** Waits until all have ended, and expects that each took effect once. */
const expectEachOnce = async ({ path, created }: Hundred): Promise<Transaction[]> => {
  // One request reads them all: a hundred at a time would take the service's time from its work.
  const read = async () => {
    const { transactions } = z.parse(Page, await ask('GET', `${path}?perPage=${many}`))
    const byId = new Map(transactions.map((one) => [one.id, one]))
    return created.flatMap(({ transaction: { id } }) => byId.get(id) ?? [])
  }
  const countOpen = async () =>
    many - (await read()).filter(({ status }) => status === 'success' || status === 'failed').length
  // Each wait is for the next to end, so that no limit depends on how many there are.
  for (let open = many; open > 0; open = await countOpen())
    await expect.poll(countOpen, { interval: 250 }).toBeLessThan(open)
  const ended = await read()
  expect(ended.filter(({ status }) => status !== 'success')).toEqual([])
  const held = await Promise.all(created.map(({ recipient }) => world.tokensOf(recipient, 'usdc')))
  expect(held.every((units) => units === 1n)).toBe(true)
  return ended
}

/** Returns the operations of a wallet, in the order in which the EntryPoint ran them. */
const readOperations = async (sender: Address) => {
  const logs = await world.client.getContractEvents({
    address: walletDeployments.entryPoint.address,
    abi: EntryPoint.abi as Abi,
    fromBlock: 0n,
    eventName: 'UserOperationEvent',
    args: { sender },
  })
  return logs.map((log) => {
    const { args } = log as unknown as { args: { userOpHash: Hex; nonce: bigint; success: boolean } }
    return { ...args, txId: log.transactionHash }
  })
}

test('behavior: a hundred concurrent transactions of a custodial smart wallet each land once, in nonce order', async () => {
  const hundred = await createHundred({ type: 'evm-smart-wallet' })
  const ended = await expectEachOnce(hundred)
  const done = await readOperations(hundred.address)
  expect(done.map(({ nonce }) => nonce)).toEqual(Array.from({ length: many }, (_, index) => BigInt(index)))
  expect(done.every(({ success }) => success)).toBe(true)
  const known = ended.map(
    (one) => one.walletType === 'evm-smart-wallet' && [one.onChain.userOperationHash, one.onChain.txId],
  )
  expect(known.sort()).toEqual(done.map(({ userOpHash, txId }) => [userOpHash, txId]).sort())
})

test('behavior: a hundred concurrent transactions that an account approves each land once', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const config = { adminSigner: { type: 'evm-keypair', address: owner.address } }
  const hundred = await createHundred({ type: 'evm-smart-wallet', config })
  await Promise.all(
    hundred.created.map(async ({ transaction: { id, approvals } }) => {
      const message = { raw: (approvals?.pending?.[0]?.message ?? '') as Hex }
      const signature = await owner.signMessage({ message })
      await ask('POST', `${hundred.path}/${id}/approvals`, {
        approvals: [{ signer: owner.address, signature }],
      })
    }),
  )
  await expectEachOnce(hundred)
  const done = await readOperations(hundred.address)
  expect(done).toHaveLength(many)
  // Each has a separate channel, so that none waits for another's approval.
  expect(new Set(done.map(({ nonce }) => nonce >> 64n)).size).toBe(many)
})

test('behavior: a hundred concurrent transactions of an account each land once, in nonce order', async () => {
  const hundred = await createHundred({ type: 'evm-mpc-wallet' })
  const ended = await expectEachOnce(hundred)
  expect(await world.client.getTransactionCount({ address: hundred.address })).toBe(many)
  const { transactions: newest } = z.parse(Page, await ask('GET', `${hundred.path}?perPage=${many}`))
  expect(newest).toHaveLength(many)
  const nonces = await Promise.all(
    newest.toReversed().map(async ({ onChain }) => {
      const sent = await world.client.getTransaction({ hash: onChain.txId as Hex })
      expect(sent.from.toLowerCase()).toBe(hundred.address.toLowerCase())
      return sent.nonce
    }),
  )
  expect(nonces).toEqual(Array.from({ length: many }, (_, index) => index))
  expect(new Set(ended.map(({ onChain }) => onChain.txId)).size).toBe(many)
})

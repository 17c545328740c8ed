import { eq } from 'drizzle-orm'
import { createPublicClient, custom, hexToBytes, numberToHex, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { awaitReceipt } from '#adapters/chains/evm/outbox/awaitReceipt.js'
import type { SignedTransaction } from '#adapters/chains/evm/outbox/signed.js'
import { chainTransactions } from '#base/db/tables/chainTransactions.js'
import { requireCalls } from '#holdings/transactions/actingWallet.js'
import { createTestChain } from '../../../helpers/createTestChain.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createTestChain>>
beforeAll(async () => {
  world = await createTestChain()
})
afterAll(() => world.close())

test('behavior: a node that hides which transaction used the nonce does not fail an account’s call', async () => {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  const to = privateKeyToAccount(generatePrivateKey()).address
  await world.client.setBalance({ address, value: 10n ** 18n })
  let isForgetful = false
  let looks = 0
  let onLooked = () => {}
  const isLookedFor = new Promise<void>((resolve) => {
    onLooked = resolve
  })
  // The call lands, but this node has neither its receipt nor the past state.
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async (body) => {
      if (body.includes('eth_sendRawTransaction')) isForgetful = true
    },
    (body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: [string, string] }
      const isPast = method === 'eth_getTransactionCount' && params[1].startsWith('0x')
      if (!isForgetful || !isPast) return undefined
      // Three in a row would count.
      if (++looks === 5) onLooked()
      return { code: -32000, message: 'missing trie node' }
    },
    (body, answer) => {
      const { method, id } = JSON.parse(body) as { method: string; id: number }
      const isHidden = isForgetful && method === 'eth_getTransactionReceipt'
      return isHidden ? JSON.stringify({ jsonrpc: '2.0', id, result: null }) : answer
    },
  )
  const chain = world.open({ rpcUrl: async () => relay.url })
  const call = { to, value: 3n, data: '0x' }
  const input = { privateKey: hexToBytes(key), call, isSponsored: false }
  const sent = requireCalls(chain).send('hidden', input)
  await Promise.race([isLookedFor, sent])
  const ofKey = eq(chainTransactions.key, `${world.chain.chain}:hidden`)
  expect((await world.db.select().from(chainTransactions).where(ofKey))[0]?.status).toBe('signed')
  isForgetful = false
  expect(await sent).toMatchObject({ status: 'success' })
  expect(await world.client.getBalance({ address: to })).toBe(3n)
  await relay.close()
})

test('behavior: what the node had no place for is sent again after the next block', async () => {
  const sender = privateKeyToAccount(generatePrivateKey())
  const txId = toHex(1, { size: 32 })
  let head = 5
  let isSentAgain = false
  const client = createPublicClient({
    cacheTime: 0,
    transport: custom(
      {
        request: async ({ method }: { method: string }) => {
          if (method === 'eth_blockNumber') return numberToHex(head++)
          if (method !== 'eth_getTransactionReceipt') throw { code: -32601, message: `no ${method}` }
          if (!isSentAgain) return null
          return { transactionHash: txId, blockNumber: numberToHex(head), status: '0x1', logs: [] }
        },
      },
      { retryCount: 0 },
    ),
  })
  const signed = {
    key: 'base:full',
    sender: sender.address,
    nonce: 0,
    txId,
    otherTxIds: null,
  } as SignedTransaction
  const options = { db: world.db, client, account: sender, chain: 'base', confirmations: 1, isGuarded: false }
  const receipt = await awaitReceipt(
    {
      ...options,
      mayEndUnknown: true,
      // So long that nothing is doubted meanwhile.
      pollMs: 600_000,
      nextHead: async () => {},
      isRefused: (hash) => hash === txId,
      sendMissing: async () => {
        isSentAgain = true
      },
    },
    signed,
    () => {},
  )
  expect(receipt).toMatchObject({ transactionHash: txId })
})

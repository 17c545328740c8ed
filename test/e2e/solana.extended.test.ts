import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serviceProgram } from '../../scripts/lib/programs.mjs'
import { openSandbox } from '../../scripts/lib/sandbox.mjs'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { createWeb3Buyer } from '../../service/test/helpers/web3Buyer.js'
import { type Client, createClient, createOrder, getOrder, putCollection } from '../../src/api/index.js'
import { decodeMessage } from '../../src/chain/solana/message.js'
import { readTransfer } from '../../src/chain/solana/transfer.js'
import { openNode } from '../../src/pay/solana/node.js'
import { createSolanaKey } from '../helpers/scriptedSolanaWallet.js'
import { withAmount } from '../helpers/solanaMessages.js'
import { root } from '../helpers/sources.js'
import { freshDataDir } from './helpers/dataDir.js'

const dataDir = freshDataDir('solana')
const env = { KASSA_CHAINS: 'solana' }
const recipient = createWeb3Buyer().address

let stack: RunningService
let client: Client
beforeAll(async () => {
  stack = await startService({ dataDir, env })
  const { serviceUrl, sandbox } = stack
  client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey })
  await putCollection(client, {
    collectionId: 'tea',
    body: {
      chain: 'solana',
      metadata: { name: 'Tea', description: 'A tea' },
      supplyLimit: 100,
      payments: { price: '0.25' },
    },
  })
})
afterAll(() => stack.stop())

const post = async (path: string, body: object): Promise<unknown> => {
  const response = await fetch(`${stack.serviceUrl}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return response.json()
}

const rpc = async (method: string, ...params: unknown[]): Promise<Record<string, unknown>> =>
  Object(await post('/rpc/solana', { jsonrpc: '2.0', id: 1, method, params }))

/** Creates an order and pays it, all by HTTP and with a foreign client's signature. */
const buy = async (currency: 'sol' | 'usdc'): Promise<string> => {
  const buyer = createWeb3Buyer()
  await post('/sandbox/fund', { chain: 'solana', address: buyer.address })
  const { order } = await createOrder(client, {
    body: {
      lineItems: { collectionLocator: 'kassa:tea' },
      recipient: { walletAddress: recipient },
      payment: { method: 'solana', currency, payerAddress: buyer.address },
    },
  })
  const { serializedTransaction = '' } = order.payment.preparation ?? {}
  const sent = await rpc('sendTransaction', buyer.sign(serializedTransaction), { encoding: 'base64' })
  expect(sent).toMatchObject({ result: expect.any(String) })
  return order.orderId
}

/** Six orders are followed at once, within the allowance of reads. */
const awaitDelivery = async (orderId: string): Promise<string> => {
  for (;;) {
    const { phase, lineItems } = await getOrder(client, { orderId })
    const mintHash = lineItems[0]?.delivery.tokens?.[0]?.mintHash
    if (phase === 'completed' && mintHash !== undefined) return mintHash
    await sleep(1_000)
  }
}

const readLedger = async () => {
  const { env: settings } = serviceProgram(openSandbox(dataDir), dataDir, env)
  const args = [join(root, 'service/dist/bin.js'), 'ledger', '--chains', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: settings })
  return JSON.parse(stdout)
}

test('default: a foreign client buys in SOL and in USDC, and the chain itself shows the holder', async () => {
  const orderIds = [await buy('sol'), await buy('usdc')]
  for (const mintHash of await Promise.all(orderIds.map(awaitDelivery))) {
    const largest = await rpc('getTokenLargestAccounts', mintHash, { commitment: 'confirmed' })
    expect(largest).toMatchObject({ result: { value: [{ amount: '1', decimals: 0 }] } })
  }
  const held = await rpc(
    'getTokenAccountsByOwner',
    recipient,
    { programId: 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb' },
    { encoding: 'base64', commitment: 'confirmed' },
  )
  expect(Object(held.result).value).toHaveLength(2)
})

/** Pays a quarter more than the price in USDC, as a buyer with a program of their own may. */
const overpay = async () => {
  const key = createSolanaKey()
  await post('/sandbox/fund', { chain: 'solana', address: key.address })
  const { order } = await createOrder(client, {
    body: {
      lineItems: { collectionLocator: 'kassa:tea' },
      recipient: { walletAddress: recipient },
      payment: { method: 'solana', currency: 'usdc', payerAddress: key.address },
    },
  })
  const { serializedTransaction = '' } = order.payment.preparation ?? {}
  const message = Uint8Array.from(Buffer.from(serializedTransaction, 'base64'))
  const [transfer] = decodeMessage(message).instructions.flatMap((each) => readTransfer(each) ?? [])
  if (!transfer?.mint) throw new Error('the order has no transfer of tokens')
  const { mint, units } = transfer
  const node = openNode(`${stack.serviceUrl}/rpc/solana`)
  const before = await node.getTokenBalance(key.address, mint)
  await node.send(Buffer.from(key.sign(withAmount(message, (units * 5n) / 4n))).toString('base64'))
  /** Returns how much the buyer has in the end less than before, beyond the price. */
  const readLoss = async (): Promise<bigint> => {
    const after = await openNode(`${stack.serviceUrl}/rpc/solana`).getTokenBalance(key.address, mint)
    return before - after - units
  }
  return { orderId: order.orderId, readLoss }
}

// Before the payments are seen, while they are confirmed, while it delivers and refunds, and after.
test.each([0, 400, 900, 1_600])(
  'behavior: killed %i ms after it was paid, it delivers and refunds each once on the same cluster',
  async (delayMs) => {
    const bought = await Promise.all([buy('sol'), buy('usdc'), buy('sol'), buy('usdc')])
    const overpaid = await Promise.all([overpay(), overpay()])
    await sleep(delayMs)
    stack.service.signal('SIGKILL')
    await stack.service.exited
    await stack.stop()
    stack = await startService({ dataDir, env, isRestart: true })
    const orderIds = [...bought, ...overpaid.map(({ orderId }) => orderId)]
    const mints = await Promise.all(orderIds.map(awaitDelivery))
    expect(new Set(mints).size).toBe(orderIds.length)
    for (const mintHash of mints) {
      expect(await rpc('getTokenSupply', mintHash, { commitment: 'confirmed' })).toMatchObject({
        result: { value: { amount: '1' } },
      })
    }
    for (const { readLoss } of overpaid) await expect.poll(readLoss).toBe(0n)
    await expect.poll(async () => (await readLedger()).differing).toEqual([])
    // Nothing is refunded a second time.
    for (const { readLoss } of overpaid) expect(await readLoss()).toBe(0n)
  },
)

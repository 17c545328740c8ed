import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { type RunningService, startService } from '../../scripts/lib/stack.mjs'
import { findMints, fund, rpcUrlOf } from './helpers/chain.js'
import { freshDataDir } from './helpers/dataDir.js'
import { createForeignClient, type ForeignOrder } from './helpers/foreignClient.js'

const chain = 'base-sepolia'
const dataDir = freshDataDir('restart')
let stack: RunningService | undefined

const start = async (): Promise<RunningService> => {
  // Watching for one moment takes more reads than a buyer is allowed.
  stack = await startService({ dataDir, env: { KASSA_SECRET_READS_PER_MINUTE: '1000000' } })
  return stack
}
const kill = async (): Promise<void> => {
  stack?.service.signal('SIGKILL')
  await stack?.service.exited
  await stack?.stop()
}
afterEach(() => stack?.stop())

const clientOf = ({ serviceUrl, storefrontUrl, sandbox }: RunningService) =>
  createForeignClient({ baseUrl: `${serviceUrl}/api`, clientKey: sandbox.clientKey, origin: storefrontUrl })

/** Pays for two tokens; resolves when the payment has been handed to the chain. */
const payForTwo = async (running: RunningService) => {
  const client = clientOf(running)
  const account = privateKeyToAccount(generatePrivateKey())
  await fund(running, chain, account.address)
  const created = await client.createOrder({
    recipient: { walletAddress: account.address },
    payment: { method: chain, currency: 'eth', payerAddress: account.address },
    lineItems: { collectionLocator: 'kassa:dunes-at-dusk', callData: { quantity: 2 } },
  })
  const txId: Hex = await client.pay(created.order, account, rpcUrlOf(running, chain))
  return {
    client,
    txId,
    recipient: account.address,
    clientSecret: created.clientSecret,
    order: created.order,
  }
}

/** Polls without a pause until the order is where a test wants the service to die. */
const watchFor = async (
  read: () => Promise<ForeignOrder>,
  isThere: (order: ForeignOrder) => boolean,
): Promise<ForeignOrder> => {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; ) {
    const order = await read()
    if (isThere(order)) return order
  }
  throw new Error('the order never got there')
}

const moments: Record<string, (order: ForeignOrder) => boolean> = {
  'before the payment was seen': () => true,
  'when the payment was seen': ({ payment }) => payment.status !== 'awaiting-payment',
  'when the delivery had begun': ({ phase }) => phase === 'delivery',
}

test.each(Object.keys(moments))('behavior: killed %s, the service delivers once', async (moment) => {
  const before = await start()
  const { client, order, clientSecret, recipient } = await payForTwo(before)
  const seen = await watchFor(
    () => client.getOrder(order.orderId, clientSecret),
    moments[moment] ?? (() => false),
  )
  await kill()
  // Otherwise nothing was left to be done, and the test would prove nothing.
  expect(seen.phase).not.toBe('completed')

  const after = await start()
  const completed = await clientOf(after).waitUntilCompleted(order.orderId, clientSecret)
  const [item] = completed.lineItems
  expect(item?.delivery).toMatchObject({ status: 'completed' })
  const tokens = item?.delivery.tokens ?? []
  const contract = tokens[0]?.contractAddress ?? ''
  expect(await findMints(after, { chain, contract, to: recipient })).toEqual(
    tokens.map(({ tokenId }) => BigInt(tokenId)),
  )
  expect(tokens).toHaveLength(2)
})

// Buys a token from the built service, with the Node that runs this, and prints what was delivered.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, createOrder, getOrder } from 'kassa/api'
import { createWalletClient, http, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { startService } from '../../../scripts/lib/stack.mjs'

const chain = 'base-sepolia'
const dataDir = mkdtempSync(join(tmpdir(), 'kassa-node-'))
const stack = await startService({ dataDir })
try {
  const { serviceUrl, sandbox } = stack
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey })
  const account = privateKeyToAccount(generatePrivateKey())
  await fetch(`${serviceUrl}/sandbox/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chain, address: account.address }),
  })
  const body = {
    recipient: { walletAddress: account.address },
    payment: { method: chain, currency: 'eth', payerAddress: account.address },
    lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
  }
  const { order } = await createOrder(client, { body })
  const { orderId, payment } = order
  const { to, value, data } = parseTransaction(payment.preparation.serializedTransaction)
  const wallet = createWalletClient({ account, transport: http(`${serviceUrl}/rpc/${chain}`) })
  await wallet.sendTransaction({ chain: null, to, value, data })
  let bought = order
  while (bought.phase !== 'completed') {
    await sleep(100)
    bought = await getOrder(client, { orderId })
  }
  const [lineItem] = bought.lineItems
  console.log(JSON.stringify({ node: process.version, delivery: lineItem.delivery.status }))
} catch (error) {
  console.error(stack.service.output())
  throw error
} finally {
  await stack.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

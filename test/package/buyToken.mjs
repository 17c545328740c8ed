import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, createOrder, getOrder } from 'kassa/api'
import { createWalletClient, http, parseTransaction } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const chain = 'base-sepolia'

/**
 * Buys a token of the example shop from a sandbox, with a new account and test money.
 * @param {{ serviceUrl: string, serverKey: string }} sandbox
 * @returns {Promise<string>} the status of the delivery
 */
export const buyToken = async ({ serviceUrl, serverKey }) => {
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: serverKey })
  const account = privateKeyToAccount(generatePrivateKey())
  await fetch(`${serviceUrl}/sandbox/fund`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ chain, address: account.address }),
  })
  const body = {
    recipient: { walletAddress: account.address },
    payment: {
      method: /** @type {const} */ ('base-sepolia'),
      currency: 'eth',
      payerAddress: account.address,
    },
    lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
  }
  const { order } = await createOrder(client, { body })
  const { orderId, payment } = order
  const serialized = /** @type {`0x${string}`} */ (payment.preparation?.serializedTransaction)
  const { to, value, data } = parseTransaction(serialized)
  const wallet = createWalletClient({ account, transport: http(`${serviceUrl}/rpc/${chain}`) })
  await wallet.sendTransaction({ chain: null, to, value, data })
  let bought = order
  while (bought.phase !== 'completed') {
    await sleep(100)
    bought = await getOrder(client, { orderId })
  }
  return bought.lineItems[0]?.delivery.status ?? 'missing'
}

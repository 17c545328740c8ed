import { setTimeout as sleep } from 'node:timers/promises'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { giveUsdc } from './withoutCoins.mjs'

/** The edition that is bought. */
const collectionId = 'dunes-at-dusk'

/**
 * Creates an account that holds USDC and no coins.
 * @param {string} serviceUrl
 */
export const createPayer = async (serviceUrl) => {
  const payer = privateKeyToAccount(generatePrivateKey())
  await giveUsdc(serviceUrl, payer.address)
  return payer
}

/**
 * Buys an edition with an unmodified client of x402, and returns the order.
 * @param {string} serviceUrl
 * @param {import('viem').LocalAccount} payer
 * @returns {Promise<{ orderId: string, payment: { x402Url: string } }>}
 */
export const buyByX402 = async (serviceUrl, payer) => {
  const client = new x402Client().register('eip155:*', new ExactEvmScheme(payer))
  // By default, the client pays up to a dollar.
  client.setSpendControls({ maxAmountPerPayment: '$100' })
  const url = `${serviceUrl}/api/x402/collections/${collectionId}`
  const response = await wrapFetchWithPayment(fetch, client)(url)
  const answer = await response.json()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${JSON.stringify(answer)}`)
  return answer
}

/**
 * Waits until an order is delivered, by the URL that its buyer has.
 * @param {{ orderId: string, payment: { x402Url: string } }} order
 * @param {AbortSignal} signal
 */
export const waitUntilDelivered = async ({ orderId, payment }, signal) => {
  while (!signal.aborted) {
    const response = await fetch(payment.x402Url)
    const answer = await response.json()
    if (response.ok && answer.phase === 'completed') return
    if (!response.ok && response.status !== 409)
      throw new Error(`Order ${orderId} was answered ${response.status}: ${JSON.stringify(answer)}`)
    await sleep(300)
  }
  throw new Error('The purchase was ended before it was complete.')
}

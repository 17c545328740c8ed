import { setTimeout as sleep } from 'node:timers/promises'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, createWalletClient, defineChain, erc20Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const chainName = 'base-sepolia'
/** The edition that is bought, and more than it costs. */
const collectionId = 'dunes-at-dusk'
const units = 100_000_000n

/**
 * Asks the sandbox for JSON.
 * @param {string} url
 * @param {unknown} [body]
 */
const ask = async (url, body) => {
  const response = await fetch(url, {
    ...(body !== undefined && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer.message}`)
  return answer
}

/**
 * Gives a new account USDC, and no coins: the faucet's own go to another account, which sends it the tokens.
 * @param {string} serviceUrl
 */
export const createPayer = async (serviceUrl) => {
  const payer = privateKeyToAccount(generatePrivateKey())
  const helper = privateKeyToAccount(generatePrivateKey())
  const { chains } = await ask(`${serviceUrl}/sandbox`)
  const { chainId, tokens } = chains[chainName]
  const rpcUrl = `${serviceUrl}/rpc/${chainName}`
  const nativeCurrency = { name: 'Ether', symbol: 'ETH', decimals: 18 }
  const chain = defineChain({
    id: chainId,
    name: chainName,
    nativeCurrency,
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const transport = http(rpcUrl)
  const least = { currency: 'usdc', amount: `${units / 1_000_000n}` }
  await ask(`${serviceUrl}/sandbox/fund`, { chain: chainName, address: helper.address, least })
  const client = createPublicClient({ chain, transport, pollingInterval: 200 })
  const hash = await createWalletClient({ account: helper, chain, transport }).writeContract({
    address: tokens.usdc.address,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [payer.address, units],
  })
  await client.waitForTransactionReceipt({ hash })
  if ((await client.getBalance({ address: payer.address })) > 0n) throw new Error('The payer holds coins.')
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

import { createPublicClient, createWalletClient, defineChain, erc20Abi, http } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

const chainName = 'base-sepolia'
/** More than any edition costs. */
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

/** @param {string} serviceUrl */
const openChain = async (serviceUrl) => {
  const { chains } = await ask(`${serviceUrl}/sandbox`)
  const { chainId, tokens } = chains[chainName]
  const rpcUrl = `${serviceUrl}/rpc/${chainName}`
  const chain = defineChain({
    id: chainId,
    name: chainName,
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  })
  const client = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval: 200 })
  return { chain, client, token: tokens.usdc.address, rpcUrl }
}

/**
 * Asserts that an account has no coins, with which it would have to pay a network fee.
 * @param {string} serviceUrl
 * @param {import('viem').Address} address
 */
export const requireNoCoins = async (serviceUrl, address) => {
  const { client } = await openChain(serviceUrl)
  if ((await client.getBalance({ address })) > 0n) throw new Error('The payer holds coins.')
}

/**
 * Gives an account USDC, and no coins: the faucet's own go to another account, which sends it the tokens.
 * @param {string} serviceUrl
 * @param {import('viem').Address} address
 */
export const giveUsdc = async (serviceUrl, address) => {
  const { chain, client, token, rpcUrl } = await openChain(serviceUrl)
  const helper = privateKeyToAccount(generatePrivateKey())
  const least = { currency: 'usdc', amount: `${units / 1_000_000n}` }
  await ask(`${serviceUrl}/sandbox/fund`, { chain: chainName, address: helper.address, least })
  const hash = await createWalletClient({ account: helper, chain, transport: http(rpcUrl) }).writeContract({
    address: token,
    abi: erc20Abi,
    functionName: 'transfer',
    args: [address, units],
  })
  await client.waitForTransactionReceipt({ hash })
  await requireNoCoins(serviceUrl, address)
}

/**
 * Has the demo wallet of a page get USDC in place of the coins that the storefront asks the sandbox for.
 * @param {import('playwright').Page} page
 * @param {string} serviceUrl
 * @returns {Promise<{ payer(): import('viem').Address | undefined }>} the account, once it was funded
 */
export const fundWithoutCoins = async (page, serviceUrl) => {
  /** @type {Map<import('viem').Address, Promise<void>>} */
  const funded = new Map()
  await page.route('**/sandbox/fund', async (route) => {
    const { address } = route.request().postDataJSON()
    const giving = funded.get(address) ?? giveUsdc(serviceUrl, address)
    funded.set(address, giving)
    await giving
    await route.fulfill({ json: {}, headers: { 'access-control-allow-origin': '*' } })
  })
  return { payer: () => [...funded.keys()][0] }
}

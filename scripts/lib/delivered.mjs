import { createClient, getOrder } from 'kassa/api'
import { createPublicClient, erc721Abi, getAddress, http, isAddress, isAddressEqual } from 'viem'

/**
 * The owner of a token on an EVM chain.
 * @param {string} rpcUrl
 * @param {{ contractAddress: string, tokenId: string }} token
 * @returns {Promise<string>}
 */
const readEvmOwner = (rpcUrl, { contractAddress, tokenId }) =>
  createPublicClient({ transport: http(rpcUrl) }).readContract({
    abi: erc721Abi,
    address: /** @type {`0x${string}`} */ (contractAddress),
    functionName: 'ownerOf',
    args: [BigInt(tokenId)],
  })

/**
 * Asks a node of Solana for a value.
 * @param {string} rpcUrl
 * @param {string} method
 * @param {...unknown} params
 * @returns {Promise<any>}
 */
const readSolana = async (rpcUrl, method, ...params) => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error) throw new Error(`Solana answered ${method}: ${error.message}`)
  return result.value
}

/**
 * The holder of a token on Solana, of which there must be exactly one.
 * @param {string} rpcUrl
 * @param {string} mint
 * @param {string} expected the account that should hold it
 * @returns {Promise<string>} that account, or the token account that holds it instead
 */
const readSolanaHolder = async (rpcUrl, mint, expected) => {
  const options = { commitment: 'confirmed', encoding: 'base64' }
  const [supply, largest, owned] = await Promise.all([
    readSolana(rpcUrl, 'getTokenSupply', mint, options),
    readSolana(rpcUrl, 'getTokenLargestAccounts', mint, options),
    readSolana(rpcUrl, 'getTokenAccountsByOwner', expected, { mint }, options),
  ])
  if (supply.amount !== '1' || supply.decimals !== 0)
    throw new Error(`${mint} is not a single token: its supply is ${supply.amount}.`)
  const holding = largest.find((/** @type {{ amount: string }} */ { amount }) => amount === '1')
  const isExpected = owned.some((/** @type {{ pubkey: string }} */ { pubkey }) => pubkey === holding?.address)
  return isExpected ? expected : `the token account ${holding?.address}`
}

/**
 * Every token of a finished order, with the owner that the chain itself names.
 * @param {{ serviceUrl: string, sandbox: { serverKey: string } }} stack
 * @param {string} orderId
 */
export const readDelivered = async ({ serviceUrl, sandbox }, orderId) => {
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey })
  const order = await getOrder(client, { orderId })
  return Promise.all(
    order.lineItems.flatMap(({ chain, delivery }) =>
      (delivery.tokens ?? []).map(async ({ contractAddress, tokenId, mintHash }) => {
        const recipient = delivery.recipient?.walletAddress
        const isNamed = mintHash !== undefined || (contractAddress !== undefined && tokenId !== undefined)
        if (!chain || !recipient || !isNamed) throw new Error(`Order ${orderId} names no token on a chain.`)
        const rpcUrl = `${serviceUrl}/rpc/${chain}`
        const locator = `${chain}:${mintHash ?? `${contractAddress}:${tokenId}`}`
        const owner =
          mintHash === undefined
            ? await readEvmOwner(rpcUrl, { contractAddress: contractAddress ?? '', tokenId: tokenId ?? '' })
            : await readSolanaHolder(rpcUrl, mintHash, recipient)
        const isSame = isAddress(owner) ? isAddressEqual(owner, getAddress(recipient)) : owner === recipient
        if (!isSame) throw new Error(`${locator} belongs to ${owner}, not to ${recipient}.`)
        return { locator, owner }
      }),
    ),
  )
}

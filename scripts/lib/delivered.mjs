import { createClient, getOrder } from 'kassa/api'
import { createPublicClient, erc721Abi, http, isAddressEqual } from 'viem'

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
      (delivery.tokens ?? []).map(async ({ contractAddress, tokenId }) => {
        const recipient = delivery.recipient?.walletAddress
        if (!chain || !contractAddress || tokenId === undefined || !recipient)
          throw new Error(`Order ${orderId} names no token on an EVM chain.`)
        const node = createPublicClient({ transport: http(`${serviceUrl}/rpc/${chain}`) })
        const address = /** @type {`0x${string}`} */ (contractAddress)
        const owner = await node.readContract({
          abi: erc721Abi,
          address,
          functionName: 'ownerOf',
          args: [BigInt(tokenId)],
        })
        if (!isAddressEqual(owner, /** @type {`0x${string}`} */ (recipient)))
          throw new Error(`${chain}:${contractAddress}:${tokenId} belongs to ${owner}, not to ${recipient}.`)
        return { locator: `${chain}:${contractAddress}:${tokenId}`, owner }
      }),
    ),
  )
}

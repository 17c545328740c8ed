import { createClient as createHeyApiClient } from '../.kassa/hey-api/client/index.js'
import { createOrder, getOrder, type Order } from '../.kassa/hey-api/index.js'
import type { Client, Sale, ServiceAddress } from './Sale.js'

const toSale = ({ orderId, phase, payment, lineItems }: Order): Sale => ({
  orderId,
  phase,
  serializedTransaction: payment.preparation?.serializedTransaction,
  tokenIds: lineItems
    .flatMap(({ delivery }) => delivery.tokens ?? [])
    .flatMap(({ tokenId }) => tokenId ?? []),
})

/** Uses the functions that hey-api generates. */
export const createClient = ({ baseUrl, serverKey, fetch }: ServiceAddress): Client => {
  const client = createHeyApiClient({
    baseUrl,
    fetch,
    auth: serverKey,
  })
  return {
    createOrder: async (buyer) => {
      const { data } = await createOrder({
        client,
        throwOnError: true,
        body: {
          recipient: { walletAddress: buyer },
          payment: { method: 'base-sepolia', currency: 'eth', payerAddress: buyer },
          lineItems: { collectionLocator: 'kassa:dunes' },
        },
      })
      return toSale(data.order)
    },
    getOrder: async (orderId) => {
      const { data } = await getOrder({ client, throwOnError: true, path: { orderId } })
      return toSale(data)
    },
  }
}

import createFetchClient from 'openapi-fetch'
import type { components, paths } from '../.kassa/openapi-typescript.js'
import type { Client, Sale, ServiceAddress } from './Sale.js'

const toSale = ({ orderId, phase, payment, lineItems }: components['schemas']['Order']): Sale => ({
  orderId,
  phase,
  serializedTransaction: payment.preparation?.serializedTransaction,
  tokenIds: lineItems
    .flatMap(({ delivery }) => delivery.tokens ?? [])
    .flatMap(({ tokenId }) => tokenId ?? []),
})

/** Uses openapi-fetch with the types that openapi-typescript generates. */
export const createClient = ({ baseUrl, serverKey, fetch }: ServiceAddress): Client => {
  const client = createFetchClient<paths>({ baseUrl, headers: { 'X-API-KEY': serverKey }, fetch })
  return {
    createOrder: async (buyer) => {
      const { data, error } = await client.POST('/2022-06-09/orders', {
        body: {
          recipient: { walletAddress: buyer },
          payment: { method: 'base-sepolia', currency: 'eth', payerAddress: buyer },
          lineItems: { collectionLocator: 'kassa:dunes' },
        },
      })
      if (error) throw new Error(error.message)
      return toSale(data.order)
    },
    getOrder: async (orderId) => {
      const { data, error } = await client.GET('/2022-06-09/orders/{orderId}', {
        params: { path: { orderId } },
      })
      if (error) throw new Error(error.message)
      return toSale(data)
    },
  }
}

import { createOrder, getOrder, type Order } from '../.kassa/orval.js'
import type { Client, Sale, ServiceAddress } from './Sale.js'

const toSale = ({ orderId, phase, payment, lineItems }: Order): Sale => ({
  orderId,
  phase,
  serializedTransaction: payment.preparation?.serializedTransaction,
  tokenIds: lineItems
    .flatMap(({ delivery }) => delivery.tokens ?? [])
    .flatMap(({ tokenId }) => tokenId ?? []),
})

/** Uses the functions that orval generates. */
export const createClient = (address: ServiceAddress): Client => ({
  createOrder: async (buyer) => {
    const { status, data } = await createOrder(
      {
        recipient: { walletAddress: buyer },
        payment: { method: 'base-sepolia', currency: 'eth', payerAddress: buyer },
        lineItems: { collectionLocator: 'kassa:dunes' },
      },
      { address },
    )
    if (status !== 201) throw new Error(data.message)
    return toSale(data.order)
  },
  getOrder: async (orderId) => {
    const { status, data } = await getOrder(orderId, { address })
    if (status !== 200) throw new Error(data?.message)
    return toSale(data)
  },
})

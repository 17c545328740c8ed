import { createWalletClient, type Hex, http, parseTransaction } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { limits } from '../../limits.js'

/** An order, as far as this client cares. */
export type ForeignOrder = {
  orderId: string
  phase: string
  lineItems: {
    chain: string
    quote: { status: string }
    delivery: { status: string; txId?: string; tokens?: { contractAddress: string; tokenId: string }[] }
  }[]
  quote: { status: string; totalPrice?: { amount: string; currency: string } }
  payment: {
    status: string
    preparation?: { chain: string; payerAddress: string; serializedTransaction: Hex }
  }
}

type Created = { clientSecret: string; order: ForeignOrder }

/**
 * A checkout written by an outside developer from the interface's text alone: plain `fetch` and viem,
 * separate types, a client key in the browser, the raw client secret in `Authorization`.
 */
export const createForeignClient = (options: { baseUrl: string; clientKey: string; origin: string }) => {
  const call = async <Answer>(
    method: string,
    path: string,
    headers: Record<string, string>,
    body?: unknown,
  ): Promise<Answer> => {
    const response = await fetch(`${options.baseUrl}/2022-06-09${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Origin: options.origin, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return response.json() as Promise<Answer>
  }
  const withSecret = (clientSecret: string) => ({ Authorization: clientSecret })

  return {
    createOrder: (body: object) => call<Created>('POST', '/orders', { 'X-API-KEY': options.clientKey }, body),

    setPayment: (orderId: string, clientSecret: string, payment: object) =>
      call<ForeignOrder>('PATCH', `/orders/${orderId}`, withSecret(clientSecret), { payment }),

    getOrder: (orderId: string, clientSecret: string) =>
      call<ForeignOrder>('GET', `/orders/${orderId}`, withSecret(clientSecret)),

    /** Sends what the order asks for, and of it only the recipient, the value and the data, on its chain. */
    async pay(order: ForeignOrder, account: PrivateKeyAccount, rpcUrl: string): Promise<Hex> {
      if (!order.payment.preparation) throw new Error('there is nothing to sign')
      const { to, value, data, chainId } = parseTransaction(order.payment.preparation.serializedTransaction)
      const wallet = createWalletClient({ account, transport: http(rpcUrl) })
      if ((await wallet.getChainId()) !== chainId) throw new Error(`the node is not on chain ${chainId}`)
      return wallet.sendTransaction({
        chain: null,
        ...(to && { to }),
        ...(value !== undefined && { value }),
        ...(data && { data }),
      })
    },

    /** Polls until the order is over. */
    async waitUntilCompleted(orderId: string, clientSecret: string): Promise<ForeignOrder> {
      const deadline = Date.now() + limits.conditionMs
      for (;;) {
        const order = await this.getOrder(orderId, clientSecret)
        if (order.phase === 'completed' && order.payment.status === 'completed') return order
        if (Date.now() > deadline) throw new Error(`still ${order.phase} / ${order.payment.status}`)
        await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    },
  }
}

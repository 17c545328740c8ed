import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient, createOrder, getAction, putCollection } from 'kassa/api'
import type { CreateOrderBody } from 'kassa/schema'
import { createTestClient, http, parseEther } from 'viem'
import type { Answered, Load } from './sendLoad.mjs'

export const chain = 'base-sepolia'
export const collectionId = 'prints'
export const payer = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
export const basePath = '/api/2022-06-09'
/** How many orders there are to read. */
export const orderCount = 64

/** The body of an order. */
export const orderBody: CreateOrderBody = {
  recipient: { walletAddress: payer },
  payment: { method: chain, currency: 'eth', payerAddress: payer },
  lineItems: { collectionLocator: `kassa:${collectionId}` },
}

/** Requests without the place that they are sent to. */
export type Requests = Omit<Load, 'url' | 'connections' | 'lastMs'>

/** Starts a program beside this one, and reads the first message that it sends. */
export const startHelper = (file: string, input: object) => {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)))
  const answered = once(child, 'message').then(([answer]) => answer)
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended without an answer`)))
  child.send(input)
  return { child, answer: Promise.race([answered, ended]) }
}

/** Sends requests from a process of their own. */
export const send = (load: Load): Promise<Answered> => startHelper('./sendLoad.mjs', load).answer

/** Returns a request that is sent again and again. */
export const post = (
  path: string,
  body: object,
  headers: Record<string, string>,
  status: number,
): Requests => ({ method: 'POST', status, body: JSON.stringify(body), requests: [{ path, headers }] })

type Served = { serviceUrl: string; serverKey: string; nodeUrl: string }

/** Puts a collection and some orders into the service. Returns the paths of the orders. */
export const fillShop = async ({ serviceUrl, serverKey, nodeUrl }: Served): Promise<string[]> => {
  const wallet = createTestClient({ mode: 'anvil', transport: http(nodeUrl) })
  await wallet.setBalance({ address: payer, value: parseEther('1000') })
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: serverKey, timeoutMs: 120_000 })
  const { actionId = '' } = await putCollection(client, {
    collectionId,
    body: { chain, metadata: { name: 'Prints' }, payments: { price: '0.001' } },
  })
  while ((await getAction(client, { actionId })).status === 'pending') await sleep(100)
  const created = await Promise.all(
    Array.from({ length: orderCount }, () => createOrder(client, { body: orderBody })),
  )
  return created.map(({ order }) => `${basePath}/orders/${order.orderId}`)
}

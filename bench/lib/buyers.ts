import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createOrder, getAction, putCollection } from 'kassa/api'
import {
  type Address,
  createTestClient,
  type Hex,
  http,
  parseEther,
  parseTransaction,
  publicActions,
} from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

export const chain = 'base-sepolia'
export const collectionId = 'drop'
const recipient = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

type Order = Awaited<ReturnType<typeof createOrder>>['order']

/** Opens the chain's node, as one that tests may drive. */
export const openNode = (url: string) =>
  createTestClient({ mode: 'anvil', transport: http(url) }).extend(publicActions)

type Node = ReturnType<typeof openNode>

/** Runs work on items, a bounded number at a time. */
export const inParallel = async <Item, Result>(
  items: readonly Item[],
  connections: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> => {
  const results: Result[] = []
  const left = items.entries()
  const workOn = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item, index)
  }
  await Promise.all(Array.from({ length: connections }, workOn))
  return results
}

/** Creates the collection that is sold, and waits until its contract exists. */
export const createDrop = async (client: Client, supplyLimit: number): Promise<void> => {
  const { actionId = '' } = await putCollection(client, {
    collectionId,
    body: { chain, metadata: { name: 'Drop' }, supplyLimit, payments: { price: '0.001' } },
  })
  while ((await getAction(client, { actionId })).status === 'pending') await sleep(100)
}

/** Creates the key of a buyer, and gives it what it pays with. */
export const createBuyer = async (node: Node): Promise<PrivateKeyAccount> => {
  const account = privateKeyToAccount(generatePrivateKey())
  await node.setBalance({ address: account.address, value: parseEther('1') })
  return account
}

/** Orders one copy for a buyer. */
export const orderOne = async (client: Client, { address }: PrivateKeyAccount): Promise<Order> => {
  const { order } = await createOrder(client, {
    idempotencyKey: address,
    body: {
      recipient: { walletAddress: recipient },
      payment: { method: chain, currency: 'eth', payerAddress: address },
      lineItems: { collectionLocator: `kassa:${collectionId}` },
    },
  })
  return order
}

/** Signs the transaction that an order asks for, as the first of its buyer. */
export const signPayment = async (node: Node, account: PrivateKeyAccount, order: Order): Promise<Hex> => {
  const { to, data, value, gas } = parseTransaction(order.payment.preparation?.serializedTransaction as Hex)
  const [chainId, fees] = await Promise.all([node.getChainId(), node.estimateFeesPerGas()])
  const call = { to: to as Address, data: data ?? '0x', value: value ?? 0n, gas: gas ?? 500_000n }
  return account.signTransaction({ type: 'eip1559', chainId, nonce: 0, ...call, ...fees })
}

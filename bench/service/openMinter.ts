import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, getAction, mintNft, putCollection } from 'kassa/api'
import { createPublicClient, getAddress, http, parseAbi } from 'viem'

const chain = 'base-sepolia'
const recipient = `${chain}:0x70997970C51812dc3A010C7d01b50e0d17dc79C8`
const abi = parseAbi(['function totalSupply() view returns (uint256)'])
const image = 'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy'

/** What some mints took. `eachMs` is from asking for a token to its action's end. */
export type Mints = { count: number; totalMs: number; eachMs: number[]; transactions: number }

type Service = { serviceUrl: string; sandbox: { serverKey: string } }

/** Has a running service mint into a new collection. */
export const openMinter = async ({ serviceUrl, sandbox }: Service, collectionId: string) => {
  const client = createClient({ baseUrl: `${serviceUrl}/api`, apiKey: sandbox.serverKey, timeoutMs: 120_000 })
  const node = createPublicClient({ cacheTime: 0, transport: http(`${serviceUrl}/rpc/${chain}`) })

  const finish = async (actionId: string): Promise<string> => {
    for (;;) {
      const { status, data } = await getAction(client, { actionId })
      if (status === 'failed') throw new Error(`an action failed: ${JSON.stringify(data)}`)
      if (status === 'succeeded') return data.txId ?? ''
      await sleep(10)
    }
  }
  const created = await putCollection(client, {
    collectionId,
    body: { chain, metadata: { name: 'Bench', symbol: 'BENCH' } },
  })
  await finish(created.actionId ?? '')
  const address = getAddress(created.onChain.contractAddress ?? '')
  const readSupply = () => node.readContract({ address, abi, functionName: 'totalSupply' })

  const ask = async (name: string): Promise<string> => {
    const body = { recipient, metadata: { name, image }, sendNotification: false }
    return (await mintNft(client, { collectionId, body })).actionId ?? ''
  }

  return {
    /** Asks for one when the one before has ended. */
    oneByOne: async (count: number): Promise<Mints> => {
      const eachMs: number[] = []
      const txIds = new Set<string>()
      for (let index = 0; index < count; index++) {
        const startedAt = performance.now()
        txIds.add(await finish(await ask(`One ${index}`)))
        eachMs.push(performance.now() - startedAt)
      }
      const totalMs = eachMs.reduce((sum, ms) => sum + ms, 0)
      return { count, totalMs, eachMs, transactions: txIds.size }
    },
    /** Asks for many, from several connections at once, until the chain has them all. */
    atOnce: async (count: number, connections: number): Promise<Mints & { askedMs: number }> => {
      const supply = await readSupply()
      const startedAt = performance.now()
      const actionIds: string[] = []
      let next = 0
      const askOn = async () => {
        while (next < count) actionIds.push(await ask(`Many ${next++}`))
      }
      await Promise.all(Array.from({ length: connections }, askOn))
      const askedMs = performance.now() - startedAt
      // By the chain: asking after every action would be most of the service's work.
      while ((await readSupply()) < supply + BigInt(count)) await sleep(20)
      const totalMs = performance.now() - startedAt
      const txIds = new Set<string>()
      for (const actionId of actionIds) txIds.add(await finish(actionId))
      return { count, totalMs, askedMs, eachMs: [], transactions: txIds.size }
    },
  }
}

import { createTestClient, hexToNumber, publicActions, webSocket } from 'viem'

/**
 * Watches the blocks of a chain as its node tells of them.
 * @param {string} node host and port
 */
export const watchChain = async (node) => {
  const client = createTestClient({ mode: 'anvil', transport: webSocket(`ws://${node}`) }).extend(
    publicActions,
  )
  /** @type {Map<number, number>} */
  const seenAtMs = new Map()
  const { unsubscribe } = await client.transport.subscribe({
    params: ['newHeads'],
    onData: ({ result }) => void seenAtMs.set(hexToNumber(result.number), Date.now()),
  })
  return {
    /**
     * Does something while blocks come at a fixed pace, as on a public chain, and not when there is something for one.
     * @param {number} paceSeconds
     * @param {() => Promise<void>} work
     */
    atPace: async (paceSeconds, work) => {
      await client.setAutomine(false)
      await client.setIntervalMining({ interval: paceSeconds })
      try {
        await work()
      } finally {
        await client.setIntervalMining({ interval: 0 })
        await client.setAutomine(true)
      }
    },
    /**
     * When the block came that holds a transaction, in epoch milliseconds.
     * @param {string | undefined} txId
     */
    timeOf: async (txId) => {
      const { blockNumber } = await client.getTransactionReceipt({
        hash: /** @type {`0x${string}`} */ (txId ?? '0x'),
      })
      const atMs = seenAtMs.get(Number(blockNumber))
      if (atMs === undefined) throw new Error(`Block ${blockNumber} was never seen.`)
      return atMs
    },
    stop: async () => {
      await unsubscribe()
      const socket = await client.transport.getRpcClient()
      socket.close()
    },
  }
}

import { createPublicClient, custom, type EIP1193RequestFn } from 'viem'
import { expect, test } from 'vitest'
import { readBlockTerms } from '#adapters/chains/evm/connection/fees.js'
import { shareRecent } from '#adapters/chains/evm/connection/shareInFlight.js'

const open = () => {
  const asked: string[] = []
  let isAway = false
  const request = (async ({ method }: { method: string }) => {
    asked.push(method)
    if (isAway) throw new Error('away')
    if (method === 'eth_maxPriorityFeePerGas') return '0x2'
    return { number: '0x1', timestamp: '0x1', gasLimit: '0x64', baseFeePerGas: '0xa', transactions: [] }
  }) as EIP1193RequestFn
  const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
  return {
    asked,
    client,
    setAway: (value: boolean) => {
      isAway = value
    },
  }
}

test('default: all who ask at the same time get one answer, and who asks later gets a new one', async () => {
  const { asked, client } = open()
  const terms = await Promise.all(Array.from({ length: 50 }, () => readBlockTerms(client)))
  expect(new Set(terms).size).toBe(1)
  expect(asked).toEqual(['eth_getBlockByNumber', 'eth_maxPriorityFeePerGas'])
  await readBlockTerms(client)
  expect(asked).toHaveLength(4)
})

test('behavior: every client has its own node', async () => {
  const [one, other] = [open(), open()]
  await Promise.all([readBlockTerms(one.client), readBlockTerms(other.client)])
  expect([one.asked.length, other.asked.length]).toEqual([2, 2])
})

test('error: a failure is told to all who wait, and the next one asks again', async () => {
  const { asked, client, setAway } = open()
  setAway(true)
  const failed = await Promise.allSettled([readBlockTerms(client), readBlockTerms(client)])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(asked).toHaveLength(1)
  setAway(false)
  expect(await readBlockTerms(client)).toMatchObject({ gasLimit: 100n })
})

test('behavior: callers that need a recent answer share that of the last second', async () => {
  const { asked, client, setAway } = open()
  let nowMs = 0
  const readRecent = shareRecent(readBlockTerms, () => nowMs)
  await readRecent(client)
  nowMs = 999
  await readRecent(client)
  expect(asked).toHaveLength(2)
  nowMs = 1_000
  setAway(true)
  await expect(readRecent(client)).rejects.toThrow('away')
  setAway(false)
  await readRecent(client)
  expect(asked).toHaveLength(5)
})

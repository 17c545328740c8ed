import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createTransaction, createWallet, getTransaction } from 'kassa/api'
import type { CreateTransactionBody, Transaction } from 'kassa/schema'
import { type Address, encodeFunctionData, parseAbi } from 'viem'

/** Where all of it happens. */
export const chain = 'base-sepolia'
const abi = parseAbi(['function mint(address to, uint256 amount)'])

/** A call that adds one unit to a balance, so that the chain itself tells how many calls have happened. */
const callOf = (token: Address, to: Address) => ({
  to: token,
  value: '0',
  data: encodeFunctionData({ abi, functionName: 'mint', args: [to, 1n] }),
})

/**
 * What some transactions took. `eachMs` is from asking for one to its end, and `landedIn` the number of the chain's own
 * transactions, with those that brought gas.
 */
export type Sent = { count: number; totalMs: number; eachMs: number[]; landedIn: number }

type Parts = {
  client: Client
  type: 'evm-smart-wallet' | 'evm-mpc-wallet'
  token: Address
  to: Address
  readUnits(): Promise<bigint>
  /** Starts to count the transactions of the chain. Returns the function that tells their number. */
  countTransactions(): Promise<() => Promise<number>>
}

/** A new wallet of the service's keeping, which does one thing again and again. */
export const openWallet = async ({ client, type, token, to, readUnits, countTransactions }: Parts) => {
  const { address: walletLocator } = await createWallet(client, { body: { type } })
  const call = callOf(token, to)
  const body: CreateTransactionBody = {
    params: type === 'evm-smart-wallet' ? { chain, calls: [call] } : { chain, call },
  }

  const ask = async (): Promise<string> => (await createTransaction(client, { walletLocator, body })).id
  const finish = async (transactionId: string): Promise<Transaction> => {
    for (;;) {
      const known = await getTransaction(client, { walletLocator, transactionId })
      if (known.status === 'failed') throw new Error(`a transaction failed: ${JSON.stringify(known.error)}`)
      if (known.status === 'success') return known
      await sleep(10)
    }
  }

  return {
    /** Asks for one when the one before has ended. */
    oneByOne: async (count: number): Promise<Sent> => {
      const eachMs: number[] = []
      const readLanded = await countTransactions()
      for (let index = 0; index < count; index++) {
        const startedAt = performance.now()
        await finish(await ask())
        eachMs.push(performance.now() - startedAt)
      }
      return { count, totalMs: eachMs.reduce((sum, ms) => sum + ms, 0), eachMs, landedIn: await readLanded() }
    },
    /** Asks for many, from several connections at once, until the chain has them all. */
    atOnce: async (count: number, connections: number): Promise<Sent> => {
      const units = await readUnits()
      const readLanded = await countTransactions()
      const startedAt = performance.now()
      const ids: string[] = []
      let next = 0
      const askOn = async () => {
        while (next++ < count) ids.push(await ask())
      }
      await Promise.all(Array.from({ length: connections }, askOn))
      while ((await readUnits()) < units + BigInt(count)) await sleep(20)
      const totalMs = performance.now() - startedAt
      const landedIn = await readLanded()
      for (const id of ids) await finish(id)
      return { count, totalMs, eachMs: [], landedIn }
    },
  }
}

import { type Hex, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../query/makeKey.js'
import { answerNode } from './answerNode.js'
import { type Bank, createBank } from './createBank.js'
import { execute } from './execute.js'
import { gasPriceWei, gasUsed, type TestCall, type TestTransaction } from './testTransaction.js'

/** What a call of EIP-1193 asks. */
export type RpcCall = { method: string; params?: unknown }

/** The chains of a test, as the service and the wallet share them. */
export type TestChains = {
  bank: Bank
  /** Brings every transaction that is due into a block. */
  mine(): void
  /** Oldest first. */
  transactions(): readonly TestTransaction[]
  blockAt(ms: number): bigint
  blockTimeMs(block: bigint): number
  now(): number
  /** Sends a call, which another one with its nonce may take the place of before it is in a block. */
  send(
    chainId: number,
    call: TestCall,
    options?: { delayMs?: number; gas?: bigint; replacedBy?: TestCall | undefined },
  ): Hex
  /** Tries a call on the newest block. */
  try(chainId: number, call: TestCall): Hex
  /** Answers what a node answers. */
  request(chainId: number, call: RpcCall): unknown
}

const blockMs = 1_000
const firstBlock = 1_000_000n

/** Starts chains on which nothing happens but what a test sends; their blocks follow its clock. */
export const createTestChains = (now: () => number, seenMs: () => number): TestChains => {
  const bank = createBank()
  const startMs = now()
  let sent: TestTransaction[] = []
  const newHash = (): Hex => keccak256(stringToHex(makeKey()))

  const include = (transaction: TestTransaction): void => {
    const { chainId, from, dueMs } = transaction
    bank.set(chainId, from, undefined, bank.get(chainId, from, undefined, 18) - gasUsed * gasPriceWei)
    try {
      const timestamp = BigInt(Math.floor(dueMs / 1_000))
      const execution = execute({ chainId, bank, timestamp }, transaction)
      execution.apply()
      transaction.mined = { atMs: dueMs, isReverted: false, logs: execution.logs }
    } catch {
      transaction.mined = { atMs: dueMs, isReverted: true, logs: [] }
    }
  }

  const chains: TestChains = {
    bank,
    now,
    blockAt: (ms) => firstBlock + BigInt(Math.max(0, Math.floor((ms - startMs) / blockMs))),
    blockTimeMs: (block) => startMs + Number(block - firstBlock) * blockMs,
    transactions: () => sent,
    mine: () => {
      sent = sent.map((one) =>
        one.replacedBy && one.dueMs <= now()
          ? { ...one, ...one.replacedBy, hash: newHash(), replacedBy: undefined }
          : one,
      )
      const due = sent.filter(({ mined, dueMs }) => !mined && dueMs <= now())
      for (const transaction of due.sort((one, other) => one.dueMs - other.dueMs)) include(transaction)
    },
    send: (chainId, call, { delayMs = seenMs(), gas = 100_000n, replacedBy } = {}) => {
      const nonce = sent.filter(({ from, chainId: id }) => from === call.from && id === chainId).length
      const hash = newHash()
      sent = [...sent, { ...call, chainId, hash, nonce, gas, dueMs: now() + delayMs, replacedBy }]
      chains.mine()
      return hash
    },
    try: (chainId, call) => {
      const timestamp = BigInt(Math.floor(now() / 1_000))
      return execute({ chainId, bank, timestamp }, call).result
    },
    request: (chainId, call) => {
      chains.mine()
      return answerNode(chains, chainId, call)
    },
  }
  return chains
}

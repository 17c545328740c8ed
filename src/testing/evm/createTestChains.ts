import { type Address, getAddress, type Hex, isHex, keccak256, stringToHex } from 'viem'
import { makeKey } from '../../api/makeKey.js'
import { RpcError } from '../../chain/evm/rpcError.js'
import type { TestChains } from './answerNode.js'
import { answerNode } from './answerNode.js'
import { createBank } from './createBank.js'
import { createSignatureLedger, type SignedCurrencies } from './createSignatureLedger.js'
import { createTokenLedger } from './createTokenLedger.js'
import { type ChainMoment, execute, executeAll } from './execute.js'
import { gasPriceWei, gasUsed, type TestTransaction } from './testTransaction.js'

const blockMs = 1_000
const firstBlock = 1_000_000n

/** Starts chains that contain only a test's transactions. Their blocks follow the test's clock. */
export const createTestChains = (
  now: () => number,
  seenMs: () => number,
  signed: SignedCurrencies = {},
): TestChains => {
  const bank = createBank((address: Address) => getAddress(address))
  const tokens = createTokenLedger()
  const signatures = createSignatureLedger(signed)
  const startMs = now()
  let sent: TestTransaction[] = []
  const newHash = (): Hex => keccak256(stringToHex(makeKey()))

  const at = (chainId: number, ms: number): ChainMoment => ({
    chainId,
    bank,
    tokens,
    signatures,
    timestamp: BigInt(Math.floor(ms / 1_000)),
  })
  /** Returns a call's revert data, if a contract reverted. */
  const readData = (error: unknown): Hex | undefined =>
    error instanceof RpcError && isHex(error.data) ? error.data : undefined

  const include = (transaction: TestTransaction): void => {
    const { chainId, from, dueMs, calls = [transaction], settles, isSponsored, failsWith } = transaction
    const gasWei = isSponsored ? 0n : gasUsed * gasPriceWei
    const payer = { chainId, owner: from }
    bank.set(payer, bank.get(payer, 18) - gasWei)
    try {
      if (failsWith) throw new RpcError(3, 'execution reverted', failsWith)
      const logs = executeAll(at(chainId, dueMs), calls)
      if (settles) signatures.use(chainId, settles)
      transaction.mined = { atMs: dueMs, isReverted: false, logs }
    } catch (error) {
      transaction.mined = { atMs: dueMs, isReverted: true, logs: [], revertData: readData(error) }
    }
  }

  const chains: TestChains = {
    bank,
    tokens,
    signatures,
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
    send: (chainId, call, { delayMs = seenMs(), gas = 100_000n, ...options } = {}) => {
      const nonce = sent.filter(({ from, chainId: id }) => from === call.from && id === chainId).length
      const hash = newHash()
      sent = [...sent, { ...call, ...options, chainId, hash, nonce, gas, dueMs: now() + delayMs }]
      chains.mine()
      return hash
    },
    try: (chainId, call) => execute(at(chainId, now()), call).result,
    tryAll: (chainId, calls) => {
      const undo = [bank.save(), tokens.save()]
      executeAll(at(chainId, now()), calls)
      for (const restore of undo) restore()
    },
    request: (chainId, call) => {
      chains.mine()
      return answerNode(chains, chainId, call)
    },
  }
  return chains
}

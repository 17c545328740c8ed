import type { Address, Rpc, SolanaRpcApi } from '@solana/kit'
import type { ChainFacts } from '#base/ports/chain.js'
import { readHead } from './readBlock.js'

/** What a sale costs: a token account, the token and the guard of a write. @units lamports */
const saleLamports = 2_039_280n + 6_000_000n + 1_447_680n
/** How long a slot takes. */
const slotMs = 400
const maxHistoryMs = 30 * 86_400_000

/** Reads what an operator wants to know of the cluster. */
export const inspectNode = async (rpc: Rpc<SolanaRpcApi>, operator: Address): Promise<ChainFacts> => {
  const startedAtMs = performance.now()
  const genesisHash = await rpc.getGenesisHash().send()
  const latencyMs = Math.round(performance.now() - startedAtMs)
  const [head, first, { value }] = await Promise.all([
    readHead(rpc),
    rpc.getFirstAvailableBlock().send(),
    rpc.getBalance(operator, { commitment: 'confirmed' }).send(),
  ])
  // A node that has the first block has everything there is.
  const historyMs = first <= 1n ? maxHistoryMs : Number(head.number - first) * slotMs
  return {
    caip2: `solana:${genesisHash.slice(0, 32)}`,
    head,
    latencyMs,
    historyMs: Math.min(historyMs, maxHistoryMs),
    operator: { address: operator, units: value, saleUnits: saleLamports, setUpUnits: 0n },
  }
}

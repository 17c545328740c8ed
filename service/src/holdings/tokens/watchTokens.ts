import { eq } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { tokenCursors } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { ChainPort } from '#base/ports/chain.js'
import { reorgDepth } from '#base/watch/reorgDepth.js'
import { startLoop, type WakeableLoop } from '#base/watch/watchLoop.js'
import { readDeployed, toContracts } from './listContracts.js'
import { readWallets, toWatchedWallets } from './listWatchedWallets.js'
import { lookForTokens } from './lookForTokens.js'
import { recheckLeft } from './recheckLeft.js'

/** Whether any token transfers of a chain were read. */
const hasCursors = async (db: Database, chain: string): Promise<boolean> => {
  const ofChain = eq(tokenCursors.chain, chain)
  const rows = await db.select({ contract: tokenCursors.contract }).from(tokenCursors).where(ofChain).limit(1)
  return rows.length > 0
}

/** How often transfers are read, and how far back. */
export type TokenWatchOptions = {
  /** Pause between two decisions what to check of one chain. */
  tickMs: number
  /** Pause between two searches for transfers. Reading a list searches too, so no list is out of date. */
  lookEveryMs: number
  /** Pause between two checks of the tokens that have left. */
  recheckEveryMs: number
  /** How many of the last blocks are read again. */
  rereadMs: number
  maxBlocks: number
  /** Longest pause while a node does not answer. */
  maxBackOffMs: number
}

/** The options that the service uses. Tests use others. */
const defaultTokenWatchOptions: TokenWatchOptions = {
  tickMs: 15_000,
  lookEveryMs: 10 * 60_000,
  recheckEveryMs: 60_000,
  rereadMs: 5 * 60_000,
  maxBlocks: 2_000,
  maxBackOffMs: 5 * 60_000,
}

/** Reads what is watched on any chain, once for the chains that look at about the same time. */
const createPlaceReads = ({ db }: Deps, { tickMs }: TokenWatchOptions) =>
  memoizeAsync(
    async () => ({ deployed: await readDeployed(db), wallets: await readWallets(db) }),
    tickMs / 2,
    () => performance.now(),
  )

const watchChain = (
  deps: Deps,
  chain: ChainPort,
  { readPlaces, ...options }: TokenWatchOptions & { readPlaces: ReturnType<typeof createPlaceReads> },
): WakeableLoop & { end(): void } => {
  let failures = 0
  let isEnding = false
  let lookedAtMs = Number.NEGATIVE_INFINITY
  let recheckedAtMs = Number.NEGATIVE_INFINITY
  const search = async (): Promise<void> => {
    const { deployed, wallets } = await readPlaces()
    const places = [...toContracts(deps, chain, deployed), ...toWatchedWallets(chain, wallets)]
    await lookForTokens(deps, chain, places, {
      readsAgain: (head) => reorgDepth(chain, head, options.rereadMs),
      maxBlocks: options.maxBlocks,
      savedBlocks: 1,
      mayGoOn: () => !isEnding,
    })
    lookedAtMs = deps.now()
  }
  const look = async (): Promise<void> => {
    // The tokens of its wallets are read when they are listed.
    if (chain.wallets.listHeld) return
    // A development chain is started by its first reader, and is short, so it is watched from then on.
    if (chain.isLocal && !(await hasCursors(deps.db, chain.chain))) return
    if (deps.now() - lookedAtMs >= options.lookEveryMs) await search()
    if (deps.now() - recheckedAtMs < options.recheckEveryMs) return
    recheckedAtMs = deps.now()
    await recheckLeft(deps, chain)
  }
  const loop = startLoop(async () => {
    try {
      await look()
      if (failures) deps.log.info({ chain: chain.chain }, 'looking for tokens again')
      failures = 0
    } catch (err) {
      // One log line for each outage.
      if (!failures) deps.log.warn({ chain: chain.chain, err }, 'cannot look for tokens; trying again')
      failures++
    }
    return Math.min(
      options.tickMs * 2 ** Math.min(failures, 10),
      Math.max(options.maxBackOffMs, options.tickMs),
    )
  })
  return {
    ...loop,
    end: () => {
      isEnding = true
    },
  }
}

/** Starts to watch every enabled chain for transfers. A chain without a known contract is skipped. */
export const watchTokens = (
  deps: Deps,
  options: Partial<TokenWatchOptions> = {},
): { stop(): Promise<void> } => {
  const given = { ...defaultTokenWatchOptions, ...options }
  const readPlaces = createPlaceReads(deps, given)
  const loops = deps.chains.enabled.flatMap((name) => {
    const chain = deps.chains.get(name)
    return chain ? [watchChain(deps, chain, { ...given, readPlaces })] : []
  })
  return {
    stop: async () => {
      for (const loop of loops) loop.end()
      await Promise.all(loops.map((loop) => loop.stop()))
    },
  }
}

import { join } from 'node:path'
import { evmChains, isEvmChainName } from 'kassa/schema'
import { publishedTokens } from './chains/evm/connection/publishedTokens.js'
import { createEvmChain } from './chains/evm/evmChain.js'
import { chooseTokens } from './chains/evm/payments/listContracts.js'
import { createLocalNode, type LocalNode } from './chains/local/localNode.js'
import type { Config } from './config/config.js'
import type { Database } from './db/database.js'
import type { Log } from './deps.js'
import { explainLostPayment } from './orders/refund.js'
import type { ChainPort } from './ports/chain.js'

const weiPerGwei = 10n ** 9n
const receiptPollMs = { local: 100, remote: 2_000 }

/** The port of a configured chain, and its node if the chain is local. */
export type OpenChain = { port: ChainPort; node: LocalNode | undefined }

/** Creates the adapter of a chain that this deployment has enabled. It starts on first use. */
export const openChain = (
  config: Config,
  db: Database,
  log: Log,
  chain: string,
  onAway?: () => void,
): OpenChain => {
  const settings = config.chains[chain]
  if (!settings || !isEvmChainName(chain)) throw new Error(`the chain ${chain} is not configured`)
  const { chainId, nativeCurrency } = evmChains[chain]
  const { rpcUrl, confirmations, finality, isFinalityRequired, maxFeeGwei } = settings
  const node = rpcUrl
    ? undefined
    : createLocalNode({ chain, chainId, dataDir: join(config.dataDir, 'chains') })
  const port = createEvmChain({
    chain,
    chainId,
    nativeCurrency,
    confirmations,
    finality,
    isFinalityRequired,
    maxFeePerGas: maxFeeGwei === undefined ? undefined : BigInt(maxFeeGwei) * weiPerGwei,
    rpcUrl: async () => rpcUrl ?? (node ? node.rpcUrl() : ''),
    operatorKey: config.operatorKey,
    tokens: chooseTokens(settings),
    publishedTokens: publishedTokens[chain],
    db,
    log,
    pollMs: node ? receiptPollMs.local : receiptPollMs.remote,
    isLocal: node !== undefined,
    explainUndue: (key) => explainLostPayment(db, key),
    onAway,
    close: async () => node?.stop(),
  })
  return { port, node }
}

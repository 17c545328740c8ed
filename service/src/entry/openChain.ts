import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { explainChainAddress } from 'kassa/engine'
import { type Amount, type EvmChainName, evmChains, isEvmChainName } from 'kassa/schema'
import { publishedTokens } from '#adapters/chains/evm/connection/publishedTokens.js'
import { createEvmChain } from '#adapters/chains/evm/evmChain.js'
import { fundAddress } from '#adapters/chains/evm/local/fundAddress.js'
import { createLocalNode } from '#adapters/chains/evm/local/localNode.js'
import { chooseTokens } from '#adapters/chains/evm/payments/listContracts.js'
import { createLocalSolana } from '#adapters/chains/solana/local/localSolana.js'
import { createSolanaChain } from '#adapters/chains/solana/solanaChain.js'
import type { SolanaPrograms } from '#adapters/chains/solana/solanaChainOptions.js'
import type { ChainConfig, Config } from '#base/config/config.js'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { faucetGift } from '#base/lib/faucetGift.js'
import type { ChainPort } from '#base/ports/chain.js'
import { listCollectionRefs } from '#goods/collections/findCollection.js'
import { explainEndedAuthorization } from '#sale/authorizations/settleAuthorization.js'
import { explainLostPayment } from '#sale/orders/refund.js'

const weiPerGwei = 10n ** 9n
const receiptPollMs = { local: 100, remote: 2_000 }

/** A chain on this machine, started on first use. */
export type LocalChain = {
  readonly isStarted: boolean
  /** Starts the node if needed, and returns its URL once it answers. */
  rpcUrl(): Promise<string>
  /** Gives an address coins and test tokens, and at least what it needs of one. */
  fund(address: string, least?: Amount): Promise<void>
}

/** The port of a configured chain, and its node if the chain is local. */
export type OpenChain = { port: ChainPort; node: LocalChain | undefined }

type Opening = { config: Config; db: Database; log: Log; onAway?: (() => void) | undefined }

const openEvm = (
  { config, db, log, onAway }: Opening,
  chain: EvmChainName,
  settings: ChainConfig,
): OpenChain => {
  const { chainId, nativeCurrency } = evmChains[chain]
  const { rpcUrl, fallbackUrl, headsUrl, confirmations, finality, isFinalityRequired, maxFeeGwei } = settings
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
    fallbackUrl,
    operatorKey: config.operatorKey,
    tokens: chooseTokens(settings),
    taken: config.currencies,
    publishedTokens: publishedTokens[chain],
    db,
    log,
    headsUrl: (url) => (node ? url.replace(/^http/, 'ws') : headsUrl),
    pollMs: node ? receiptPollMs.local : receiptPollMs.remote,
    isLocal: node !== undefined,
    isStarted: () => node?.isStarted ?? true,
    explainUndue: async (key) =>
      (await explainLostPayment(db, key)) ?? explainEndedAuthorization(db, key, Date.now()),
    listCollections: () => listCollectionRefs(db, chain),
    onAway,
    close: async () => node?.stop(),
  })
  if (!node) return { port, node }
  const fund = async (address: string, least?: Amount) =>
    fundAddress(await node.rpcUrl(), port.currencies, {
      address,
      give: (currency) => faucetGift(currency, least),
    })
  return { port, node: Object.assign(node, { fund }) }
}

const openSolana = ({ config, db, log, onAway }: Opening, settings: ChainConfig): OpenChain => {
  const { rpcUrl, fallbackUrl, finality } = settings
  const node = rpcUrl ? undefined : createLocalSolana({ dataDir: join(config.dataDir, 'chains') })
  if (!config.solanaOperatorKey) throw new Error('the key of the operator on Solana is missing')
  const port = createSolanaChain({
    chain: 'solana',
    db,
    log,
    onAway,
    rpcUrl: async () => rpcUrl ?? (node ? node.rpcUrl() : ''),
    fallbackUrl,
    operatorKey: config.solanaOperatorKey,
    tokens: chooseTokens(settings),
    programs: settings.programs as SolanaPrograms | undefined,
    openingsPerHour: config.solanaOpeningsPerHour,
    commitment: finality === 'finalized' ? 'finalized' : 'confirmed',
    pollMs: node ? receiptPollMs.local : receiptPollMs.remote,
    isLocal: node !== undefined,
    isTestnet: config.environment === 'staging',
    isStarted: () => node?.isStarted ?? true,
    close: async () => node?.stop(),
  })
  if (!node) return { port, node }
  const fund = async (recipient: string, least?: Amount) => {
    const owner = port.parseAddress(recipient)
    if (!owner)
      throw new ServiceError('input-invalid', `address: ${explainChainAddress(recipient, 'solana')}`)
    const gifts = port.currencies.map(({ currency, decimals }) => {
      const units = faucetGift(currency, least) * 10n ** BigInt(decimals)
      return port.wallets.fund(`faucet:${randomUUID()}`, { currency, units, recipient: owner })
    })
    await Promise.all(gifts)
  }
  return { port, node: Object.assign(node, { fund }) }
}

/** Creates the adapter of a chain that this deployment has enabled. It starts on first use. */
export const openChain = (opening: Opening, chain: string): OpenChain => {
  const settings = opening.config.chains[chain]
  if (settings && isEvmChainName(chain)) return openEvm(opening, chain, settings)
  if (settings && chain === 'solana') return openSolana(opening, settings)
  throw new Error(`the chain ${chain} is not configured`)
}

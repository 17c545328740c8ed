import { type EvmChainName, evmChains, isEvmChainName, members } from 'kassa/schema'
import * as z from 'zod/mini'
import type { ChainConfig, Config, RateFeed } from './config.js'
import { readSolana } from './readSolana.js'
import { ConfigError, httpUrl, integer, readSetting, webSocketUrl } from './settings.js'

const simulationTemplate = httpUrl.check(
  z.refine(
    (url) => url.includes('{to}') && url.includes('{data}'),
    'expected the placeholders {to} and {data}, and also {from} and {value} if the simulator takes them',
  ),
)

type Token = Config['chains'][string]['tokens'][number]

const readToken = (variable: string, chain: EvmChainName, entry: string): Token => {
  const [, currency = '', address, decimals] =
    /^\s*([a-z0-9]{2,12}):(0x[0-9a-fA-F]{40}):(\d{1,2})\s*$/.exec(entry) ?? []
  if (!address || !decimals) {
    throw new ConfigError(`${variable}: expected entries such as usdc:0x…:6, separated by commas`)
  }
  if (!members.balanceTokens.some((name) => name === currency)) {
    throw new ConfigError(`${variable}: ${currency} is not a token of the interface`)
  }
  const { nativeCurrency } = evmChains[chain]
  if (currency === nativeCurrency || (currency === 'matic' && nativeCurrency === 'pol')) {
    throw new ConfigError(`${variable}: ${currency} is the chain's native currency, not a token`)
  }
  return { currency, address, decimals: Number(decimals) }
}

const readTokens = (variable: string, chain: EvmChainName, text: string): Token[] => {
  const tokens = text
    .split(',')
    .filter(Boolean)
    .map((entry) => readToken(variable, chain, entry))
  const twice = tokens.find(({ currency }, at) =>
    tokens.slice(0, at).some((before) => before.currency === currency),
  )
  if (twice) throw new ConfigError(`${variable}: ${twice.currency} is listed twice`)
  return tokens
}

const readNftContracts = (variable: string, text: string): Config['chains'][string]['nftContracts'] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [, address, fromBlock] = /^\s*(0x[0-9a-fA-F]{40})(?::(\d{1,12}))?\s*$/.exec(entry) ?? []
      if (address) return { address, fromBlock: BigInt(fromBlock ?? 0) }
      throw new ConfigError(`${variable}: expected entries such as 0x…:<first block>, separated by commas`)
    })

const readRateFeeds = (variable: string, text: string): readonly RateFeed[] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [, currency, address, seconds] =
        /^\s*([a-z0-9]{2,12}):(0x[0-9a-fA-F]{40})(?::([1-9]\d{0,6}))?\s*$/.exec(entry) ?? []
      if (!currency || !address) {
        throw new ConfigError(
          `${variable}: expected entries such as eth:0x…:<most seconds>, separated by commas`,
        )
      }
      return { currency, address, ...(seconds && { maxAgeMs: Number(seconds) * 1000 }) }
    })

/** More than any chain has asked for; where gas is paid in cheap coins, more of them. Test coins are worth nothing. */
const defaultMaxFeeGwei = (name: EvmChainName): number | undefined => {
  const { isTestnet, nativeCurrency } = evmChains[name]
  if (isTestnet) return undefined
  return nativeCurrency === 'eth' ? 5_000 : 20_000
}

/** Chains whose validators finalize a block within seconds. On other main networks `safe` takes minutes less. */
const quicklyFinal: readonly EvmChainName[] = [
  'avalanche',
  'bsc',
  'chiliz',
  'polygon',
  'skale-nebula',
  'story',
]

/** Main networks go by the chain's own word. Where its nodes lack it, five blocks of a rollup say less than twelve. */
const defaultFinality = (name: EvmChainName) => {
  if (evmChains[name].isTestnet) return { finality: 'confirmations' as const, confirmations: 5 }
  return {
    finality: quicklyFinal.includes(name) ? ('finalized' as const) : ('safe' as const),
    confirmations: 12,
  }
}

type Variables = Readonly<Record<string, string | undefined>>

/** Reads the settings of an EVM chain. */
const readEvmChain = (env: Variables, name: EvmChainName, isSandbox: boolean): ChainConfig => {
  const suffix = name.toUpperCase().replaceAll('-', '_')
  const read = <Output>(schema: z.ZodMiniType<Output>, variable: string): Output =>
    readSetting(schema, variable, env[variable] || undefined)
  const rpcUrl = read(z.optional(httpUrl), `KASSA_RPC_${suffix}`)
  if (!rpcUrl && !isSandbox) throw new ConfigError(`KASSA_RPC_${suffix}: required outside the sandbox`)
  const fallbackUrl = read(z.optional(httpUrl), `KASSA_RPC_FALLBACK_${suffix}`)
  const headsUrl = read(z.optional(webSocketUrl), `KASSA_WS_${suffix}`)
  const byDefault = rpcUrl ? defaultFinality(name) : { finality: 'confirmations' as const, confirmations: 1 }
  const isCounted = Boolean(env[`KASSA_CONFIRMATIONS_${suffix}`])
  const confirmations = read(
    z._default(integer(1, 1000), byDefault.confirmations),
    `KASSA_CONFIRMATIONS_${suffix}`,
  )
  const finality = read(
    // A number that was chosen counts, unless it is meant for nodes that name no final block.
    z._default(
      z.enum(['finalized', 'safe', 'confirmations']),
      isCounted ? 'confirmations' : byDefault.finality,
    ),
    `KASSA_FINALITY_${suffix}`,
  )
  const isNamed = Boolean(env[`KASSA_FINALITY_${suffix}`])
  const maxFeeGwei = read(z.optional(integer(1, 1e9)), `KASSA_MAX_FEE_GWEI_${suffix}`)
  const explorerUrl = read(z.optional(httpUrl), `KASSA_EXPLORER_${suffix}`)
  const simulationUrl = read(z.optional(simulationTemplate), `KASSA_SIMULATION_${suffix}`)
  return {
    rpcUrl,
    ...(rpcUrl !== undefined && fallbackUrl !== undefined && { fallbackUrl }),
    ...(rpcUrl !== undefined && headsUrl !== undefined && { headsUrl }),
    ...(simulationUrl !== undefined && { simulationUrl }),
    ...(explorerUrl !== undefined && { explorerUrl: explorerUrl.replace(/\/$/, '') }),
    confirmations,
    ...(finality !== 'confirmations' && { finality }),
    // A number beside it is for nodes that name no final block.
    ...(finality !== 'confirmations' && isNamed && !isCounted && { isFinalityRequired: true }),
    maxFeeGwei: maxFeeGwei ?? defaultMaxFeeGwei(name),
    nftContracts: readNftContracts(
      `KASSA_NFT_CONTRACTS_${suffix}`,
      env[`KASSA_NFT_CONTRACTS_${suffix}`] ?? '',
    ),
    rateFeeds: readRateFeeds(`KASSA_RATE_FEEDS_${suffix}`, env[`KASSA_RATE_FEEDS_${suffix}`] ?? ''),
    tokens: readTokens(`KASSA_TOKENS_${suffix}`, name, env[`KASSA_TOKENS_${suffix}`] ?? ''),
  }
}

/**
 * Reads the chains that a deployment enables.
 *
 * @param names - Separated by commas.
 * @throws {@link ConfigError} naming the variable that is missing or wrong.
 */
export const readChains = (
  env: Variables,
  names: string,
  { isTestnet, isSandbox }: { isTestnet: boolean; isSandbox: boolean },
): Config['chains'] => {
  const chains: Record<string, ChainConfig> = {}
  for (const name of names.split(',').map((text) => text.trim())) {
    if (!name) continue
    if (name === 'solana') {
      chains[name] = readSolana(env, { isTestnet, isSandbox })
      continue
    }
    if (!isEvmChainName(name)) throw new ConfigError(`KASSA_CHAINS: unknown chain ${name}`)
    if (evmChains[name].isTestnet !== isTestnet) {
      throw new ConfigError(`KASSA_CHAINS: ${name} is not a chain of this KASSA_ENVIRONMENT`)
    }
    chains[name] = readEvmChain(env, name, isSandbox)
  }
  return chains
}

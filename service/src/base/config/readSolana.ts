import { parseChainAddress } from 'kassa/engine'
import * as z from 'zod/mini'
import type { ChainConfig } from './config.js'
import { ConfigError, httpUrl, readSetting } from './settings.js'

const readTokens = (text: string): ChainConfig['tokens'] =>
  text
    .split(',')
    .filter(Boolean)
    .map((entry) => {
      const [currency = '', address = '', decimals = ''] = entry.trim().split(':')
      const isKnown = currency === 'usdc' || currency === 'usdxm'
      if (isKnown && parseChainAddress('solana', address) && /^\d{1,2}$/.test(decimals)) {
        return { currency, address, decimals: Number(decimals) }
      }
      throw new ConfigError(
        'KASSA_TOKENS_SOLANA: expected entries such as usdc:<mint>:6, separated by commas',
      )
    })

const readPrograms = (text: string): ChainConfig['programs'] => {
  if (!text) return undefined
  const pairs = text.split(',').map((entry) => entry.trim().split(':'))
  const { bubblegum, compression, noop, ...others } = Object.fromEntries(pairs) as Record<string, string>
  const addresses = [bubblegum, compression, noop]
  const isComplete = pairs.length === addresses.length && Object.keys(others).length === 0
  if (
    bubblegum &&
    compression &&
    noop &&
    isComplete &&
    addresses.every((each) => parseChainAddress('solana', each ?? ''))
  ) {
    return { bubblegum, compression, noop }
  }
  throw new ConfigError(
    'KASSA_SOLANA_PROGRAMS: expected bubblegum:<address>,compression:<address>,noop:<address>',
  )
}

const ofEvmChains = ['CONFIRMATIONS', 'MAX_FEE_GWEI', 'NFT_CONTRACTS', 'RATE_FEEDS', 'SIMULATION', 'WS']

/**
 * Reads the settings of the chain `solana`, which is a main network in production and a test network elsewhere.
 *
 * @throws {@link ConfigError} naming the variable that is missing or wrong.
 */
export const readSolana = (
  env: Readonly<Record<string, string | undefined>>,
  { isTestnet, isSandbox }: { isTestnet: boolean; isSandbox: boolean },
): ChainConfig => {
  const rpcUrl = readSetting(z.optional(httpUrl), 'KASSA_RPC_SOLANA', env.KASSA_RPC_SOLANA || undefined)
  if (!rpcUrl && !isSandbox) throw new ConfigError('KASSA_RPC_SOLANA: required outside the sandbox')
  const fallbackUrl = readSetting(
    z.optional(httpUrl),
    'KASSA_RPC_FALLBACK_SOLANA',
    env.KASSA_RPC_FALLBACK_SOLANA || undefined,
  )
  const finality = readSetting(
    z._default(z.enum(['confirmed', 'finalized']), isTestnet ? 'confirmed' : 'finalized'),
    'KASSA_FINALITY_SOLANA',
    env.KASSA_FINALITY_SOLANA || undefined,
  )
  const explorerUrl = readSetting(
    // Explorers show a test network only if its name is added to every link.
    isTestnet ? z.optional(httpUrl) : z._default(httpUrl, 'https://solscan.io'),
    'KASSA_EXPLORER_SOLANA',
    env.KASSA_EXPLORER_SOLANA || undefined,
  )
  const unread = ofEvmChains.find((name) => env[`KASSA_${name}_SOLANA`])
  if (unread) throw new ConfigError(`KASSA_${unread}_SOLANA: only EVM chains have this setting`)
  return {
    rpcUrl,
    ...(rpcUrl !== undefined && fallbackUrl !== undefined && { fallbackUrl }),
    ...(explorerUrl !== undefined && { explorerUrl: explorerUrl.replace(/\/$/, '') }),
    confirmations: 1,
    ...(finality === 'finalized' && { finality }),
    nftContracts: [],
    tokens: readTokens(env.KASSA_TOKENS_SOLANA ?? ''),
    programs: readPrograms(env.KASSA_SOLANA_PROGRAMS ?? ''),
  }
}

const keyLength = 32
const keyFile = z.array(z.int().check(z.gte(0), z.lte(255))).check(z.length(2 * keyLength))

/**
 * Reads an ed25519 key: 64 hex digits, or the contents of a file of `solana-keygen`, which lists the bytes of the
 * private and the public key.
 *
 * @throws {@link ConfigError} naming the variable, never its value.
 */
export const readSolanaKey = (variable: string, text: string): Uint8Array => {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return Uint8Array.from(Buffer.from(text, 'hex'))
  try {
    return Uint8Array.from(z.parse(keyFile, JSON.parse(text))).slice(0, keyLength)
  } catch {
    throw new ConfigError(
      `${variable}: expected 64 hex digits, or the contents of a key file of solana-keygen`,
    )
  }
}

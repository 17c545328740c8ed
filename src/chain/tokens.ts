import { getAddress, isAddress } from 'viem'
import { evmChains, isEvmChainName } from '../schema/chains.js'
import type { PaymentRules, Token, TokenTable } from './rules.js'

/** Whether a currency is the one that pays for gas on a chain. */
export const isNativeCurrency = (chain: string, currency: string): boolean =>
  isEvmChainName(chain) && evmChains[chain].nativeCurrency === currency.toLowerCase()

const usdc = (address: Token['address']) => ({ usdc: { address, decimals: 6 } })

/**
 * The tokens this package knows: Circle's own USDC, not the bridged ones, on every chain where Circle issues it.
 *
 * @source developers.circle.com/stablecoins/usdc-contract-addresses
 */
export const knownTokens: TokenTable = {
  arbitrum: usdc('0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  'arbitrum-sepolia': usdc('0x75faf114eafb1BDbe2F0316DF893fd58CE46AA4d'),
  avalanche: usdc('0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  'avalanche-fuji': usdc('0x5425890298aed601595a70AB815c96711a31Bc65'),
  base: usdc('0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  'base-sepolia': usdc('0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  ethereum: usdc('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  'ethereum-sepolia': usdc('0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238'),
  optimism: usdc('0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  'optimism-sepolia': usdc('0x5fd84259d66Cd46123540766Be93DFE6D43130D7'),
  polygon: usdc('0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  'polygon-amoy': usdc('0x41E94Eb019C0762f9Bfcf9Fb1E58725BfB0e7582'),
}

const find = (table: TokenTable, chain: string, currency: string): Token | undefined => {
  // Own properties only: both names come from outside, and `constructor` must be as unknown as any other.
  const tokens = Object.hasOwn(table, chain) ? Object.entries(table[chain] ?? {}) : []
  return tokens.find(([name]) => name.toLowerCase() === currency.toLowerCase())?.[1]
}

const isToken = ({ address, decimals }: Token): boolean =>
  isAddress(address, { strict: false }) && Number.isInteger(decimals) && decimals >= 0 && decimals <= 255

/**
 * Finds the token that a currency is on a chain: the app's own entry, or else the package's.
 *
 * @param chain - The chain by the interface's name.
 * @returns The token; undefined when nobody knows it, when the app's entry is none, and for a chain's native
 * currency.
 */
export const findToken = (rules: PaymentRules, chain: string, currency: string): Token | undefined => {
  if (isNativeCurrency(chain, currency)) return undefined
  const token = find(rules.tokens ?? {}, chain, currency) ?? find(knownTokens, chain, currency)
  return token && isToken(token) ? { ...token, address: getAddress(token.address) } : undefined
}

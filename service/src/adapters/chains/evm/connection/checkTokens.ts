import { erc20Abi, getAddress, type PublicClient } from 'viem'
import { ConfigError } from '#base/config/settings.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { isNodeFailure } from './rpc.js'

/**
 * Compares the decimals of the configured tokens with those of their contracts. An amount in the wrong unit
 * would be wrong by a factor of ten at least.
 *
 * @throws {@link ConfigError} naming the chain, the token and both numbers.
 */
export const checkTokens = async (
  client: PublicClient,
  { chain, tokens }: Pick<EvmChainOptions, 'chain' | 'tokens'>,
): Promise<void> => {
  if (tokens === 'test-tokens') return
  const variable = `KASSA_TOKENS_${chain.toUpperCase().replaceAll('-', '_')}`
  for (const { currency, address = '', decimals } of tokens) {
    const token = { address: getAddress(address), abi: erc20Abi }
    const actual = await client.readContract({ ...token, functionName: 'decimals' }).catch((error) => {
      if (isNodeFailure(error)) throw error
      const message = `${variable}: ${currency} is at ${address} on ${chain}, but the contract there does not return its decimals`
      throw new ConfigError(message)
    })
    if (actual === decimals) continue
    const message = `${variable}: ${currency} has ${actual} decimals on ${chain} (${address}), and the setting says ${decimals}`
    throw new ConfigError(message)
  }
}

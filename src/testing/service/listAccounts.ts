import { getAddress } from 'viem'
import { evmChains } from '../../schema/chains.js'
import { listCurrencies, type TestChainName } from '../network.js'
import { solanaId } from '../solana/executeMessage.js'
import { solanaCurrencies } from '../solana/network.js'
import type { TestWorld } from './testWorld.js'

/** The accounts of a currency on a chain. @units `units` in base units of the currency */
export type CurrencyAccounts = {
  currency: string
  decimals: number
  get(owner: string): bigint
  set(owner: string, units: bigint): void
}

/** Lists the currencies of a chain of any family, with what accounts have of them. */
export const listAccounts = (
  { chains, solana }: Pick<TestWorld, 'chains' | 'solana'>,
  chain: TestChainName,
): CurrencyAccounts[] => {
  if (chain === 'solana') {
    return solanaCurrencies.map(({ currency, decimals, mint }) => ({
      currency,
      decimals,
      get: (owner) => solana.bank.get({ chainId: solanaId, owner, token: mint }, decimals),
      set: (owner, units) => solana.bank.set({ chainId: solanaId, owner, token: mint }, units),
    }))
  }
  const { chainId } = evmChains[chain]
  return listCurrencies(chain).map(({ currency, decimals, address }) => ({
    currency,
    decimals,
    get: (owner) => chains.bank.get({ chainId, owner: getAddress(owner), token: address }, decimals),
    set: (owner, units) => chains.bank.set({ chainId, owner: getAddress(owner), token: address }, units),
  }))
}

import type { SolanaPayments } from 'kassa/solana'
import type { OpenedLink } from './link.js'
import { baseUrl } from './networks.js'

/**
 * Loads what pays on Solana, where the service sells on it. Only the sandbox has a node for browsers, and without a node
 * no payment can be checked.
 */
export const loadSolana = async ({ chains, isSandbox }: OpenedLink): Promise<SolanaPayments | undefined> => {
  if (!isSandbox || !chains.includes('solana')) return undefined
  const [{ solana }, { getSandboxSolana }] = await Promise.all([
    import('kassa/solana'),
    import('kassa/sandbox'),
  ])
  return solana(await getSandboxSolana({ baseUrl }))
}

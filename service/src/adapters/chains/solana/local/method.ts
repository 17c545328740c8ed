import type { Address } from '@solana/kit'
import type { Cluster } from './cluster.js'
import type { Commitment } from './clusterParts.js'
import { commitmentOf, type RpcConfig, readAddress, readConfig } from './readParams.js'

/** What the methods work on: the cluster, and the faucet of {@link createFaucet}. */
export type RpcWorld = {
  cluster: Cluster
  genesisHash: string
  /** Who the node is: the faucet. */
  identity: Address
  /** What the faucet had first. @units lamports */
  supply: bigint
  airdrop(recipient: string, lamports: bigint): Promise<string>
}

/** Answers one method. */
export type Method = (world: RpcWorld, params: readonly unknown[]) => unknown

/** Adds the slot that an answer is from. */
export const withContext = ({ cluster }: RpcWorld, commitment: Commitment, value: unknown) => ({
  context: { apiVersion: '3.0.0', slot: cluster.blockAt(commitment).slot },
  value,
})

/** Creates a method that answers about the account at an address. */
export const readAccountMethod =
  (answer: (world: RpcWorld, address: Address, config: RpcConfig) => unknown): Method =>
  (world, [address, given]) => {
    const config = readConfig(given)
    return withContext(world, commitmentOf(config), answer(world, readAddress(address), config))
  }

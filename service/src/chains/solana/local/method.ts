import type { Cluster, Commitment } from './cluster.js'

/** What the methods work on: the cluster, and the faucet of {@link createFaucet}. */
export type RpcWorld = {
  cluster: Cluster
  genesisHash: string
  airdrop(recipient: string, lamports: bigint): Promise<string>
}

/** Answers one method. */
export type Method = (world: RpcWorld, params: readonly unknown[]) => unknown

/** Adds the slot that an answer is from. */
export const withContext = ({ cluster }: RpcWorld, commitment: Commitment, value: unknown) => ({
  context: { apiVersion: '3.0.0', slot: cluster.blockAt(commitment).slot },
  value,
})

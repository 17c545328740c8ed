import type { Address, Instruction, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit'
import type { MintParts, OnChainMetadata } from './mintInstructions.js'

/** A token to add to a tree. */
export type CompressedMint = { tree: Address; recipient: Address; metadata: OnChainMetadata }

/**
 * Compressed tokens: leaves of a Merkle tree, which cost no account of their own. Each collection has a tree, and
 * only the operator adds to it.
 */
export type Compression = {
  /** Returns the address of a collection's tree, given that of the collection. */
  treeOf(operator: Address, collection: Address): Address
  /** Whether a tree is ready to be minted to. */
  hasTree(rpc: Rpc<SolanaRpcApi>, tree: Address): Promise<boolean>
  /** Creates the instructions that create a tree with room for a collection's tokens. 0 means no limit. */
  createTree(parts: MintParts, collection: Address, supplyLimit: bigint): Promise<Instruction[]>
  /** Creates the instruction that adds a token to a tree. */
  mint(operator: KeyPairSigner, input: CompressedMint): Promise<Instruction>
  /**
   * Reads the address of the token that a transaction added to a tree, or returns `undefined` if the node does not
   * show the transaction yet.
   *
   * @throws if the transaction added none.
   */
  readAsset(rpc: Rpc<SolanaRpcApi>, txId: string, tree: Address): Promise<Address | undefined>
}

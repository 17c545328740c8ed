import type { Address, Instruction, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit'
import type { Database } from '#base/db/database.js'
import type { Log } from '#base/deps.js'
import type { WriteOptions } from '#base/ports/write.js'
import type { AskTogether } from '../connection/askTogether.js'

/** When a transaction counts as landed. */
export type Commitment = 'confirmed' | 'finalized'

/** What an outbox needs: `commitment` says when a transaction counts as landed. */
export type OutboxOptions = {
  db: Database
  log: Log
  chain: string
  rpc: Rpc<SolanaRpcApi>
  askTogether: AskTogether
  /** Pays the fees. */
  feePayer: KeyPairSigner
  commitment: Commitment
  /** How often the node is asked. @units milliseconds */
  pollMs: number
}

/** Builds the instructions of a write. Other signers than the fee payer are in them. */
export type MakeInstructions = () => Promise<readonly Instruction[]>

/** The key that a write is sent under, and its options. */
export type Keyed = { key: string; options?: WriteOptions | undefined }

/** A write to the chain. */
export type Write = {
  makeInstructions: MakeInstructions
  /** An account that few other transactions name, by which a write whose record is lost is found again. */
  trace: Address | undefined
  /**
   * Whether the transaction creates a guard: an account that makes a second copy of the write fail. Instructions that
   * fail or change nothing the second time need none.
   */
  isGuarded: boolean
  /** When this write counts as landed. @default the commitment of the outbox */
  commitment?: Commitment
}

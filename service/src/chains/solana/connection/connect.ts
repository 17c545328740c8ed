import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpcFromTransport,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import { createOutbox, type Outbox } from '../outbox/outbox.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'
import { createTransport } from './createTransport.js'

/** A node, the operator that signs, and what it has signed. */
export type Connection = { rpc: Rpc<SolanaRpcApi>; operator: KeyPairSigner; outbox: Outbox }

/** Opens a client of the node. */
export const openRpc = async ({ rpcUrl }: Pick<SolanaChainOptions, 'rpcUrl'>): Promise<Rpc<SolanaRpcApi>> =>
  createSolanaRpcFromTransport(createTransport(await rpcUrl()))

/** Opens the node, and the outbox that writes through it. */
export const connect = async (options: SolanaChainOptions): Promise<Connection> => {
  const { db, log, chain, commitment, pollMs, operatorKey } = options
  const rpc = await openRpc(options)
  const operator = await createKeyPairSignerFromPrivateKeyBytes(operatorKey)
  return {
    rpc,
    operator,
    outbox: createOutbox({ db, log, chain, rpc, feePayer: operator, commitment, pollMs }),
  }
}

import {
  createKeyPairSignerFromPrivateKeyBytes,
  createSolanaRpcFromTransport,
  type KeyPairSigner,
  type Rpc,
  type RpcTransport,
  type SolanaRpcApi,
} from '@solana/kit'
import { createOutbox, type Outbox } from '../outbox/outbox.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'
import { createAskTogether } from './askTogether.js'
import type { ClusterCheck } from './clusterCheck.js'
import { createTransport } from './createTransport.js'

/** A node, the operator that signs, and what it has signed. */
export type Connection = { rpc: Rpc<SolanaRpcApi>; operator: KeyPairSigner; outbox: Outbox }

/** Opens the transport to the node, and checks its cluster. */
const openTransport = async (
  { rpcUrl }: Pick<SolanaChainOptions, 'rpcUrl'>,
  check: ClusterCheck | undefined,
): Promise<RpcTransport> => {
  const transport = createTransport(await rpcUrl())
  return check ? check.guard(transport) : transport
}

/**
 * Opens a client of the node.
 *
 * @param check - Makes each request of the client throw `chain-unavailable` while the node is of another cluster, where
 * worthless coins would buy goods.
 */
export const openRpc = async (
  options: Pick<SolanaChainOptions, 'rpcUrl'>,
  check?: ClusterCheck,
): Promise<Rpc<SolanaRpcApi>> => createSolanaRpcFromTransport(await openTransport(options, check))

/** Opens the node, and the outbox that writes through it. */
export const connect = async (
  options: SolanaChainOptions,
  check: ClusterCheck | undefined,
): Promise<Connection> => {
  const { db, log, chain, commitment, pollMs, operatorKey } = options
  const transport = await openTransport(options, check)
  const rpc = createSolanaRpcFromTransport(transport)
  const askTogether = createAskTogether(transport, check)
  const operator = await createKeyPairSignerFromPrivateKeyBytes(operatorKey)
  return {
    rpc,
    operator,
    outbox: createOutbox({ db, log, chain, rpc, askTogether, feePayer: operator, commitment, pollMs }),
  }
}

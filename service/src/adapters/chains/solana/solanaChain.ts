import type { ChainPort } from '#base/ports/chain.js'
import { createWalletPort } from './accounts/createWalletPort.js'
import { createOperator } from './chainParts.js'
import { createCollectionWrites } from './collections/collectionWrites.js'
import { createClusterCheck } from './connection/clusterCheck.js'
import { openRpc } from './connection/connect.js'
import { createChainNode } from './connection/createChainNode.js'
import { createNodePort } from './connection/createNodePort.js'
import { isServiceAddress } from './connection/isServiceAddress.js'
import { parseAddress } from './connection/parseAddress.js'
import { createRecovery } from './outbox/createRecovery.js'
import { createPaymentPort } from './payments/createPaymentPort.js'
import { createPayOutPort } from './payments/createPayOutPort.js'
import { createRestore } from './restore/createRestore.js'
import type { SolanaChainOptions } from './solanaChainOptions.js'

/**
 * Creates the port of Solana: orders are paid at accounts of their own, by which payments are found, and goods are
 * tokens of Token-2022.
 */
export const createSolanaChain = (options: SolanaChainOptions): ChainPort => {
  const { db, chain, isLocal, isStarted = () => true } = options
  const operator = createOperator(options)
  const { terms, currencies, compression } = operator
  const cluster = createClusterCheck(options)
  const { port, assertKnown } = createRestore({ db, chain, terms, open: () => openRpc(options, cluster) })
  const parts = { ...operator, ...createChainNode(options, { cluster, assertKnown }) }
  return {
    chain,
    family: 'solana',
    searchesAnyRange: true,
    chainId: 0,
    isLocal,
    isStarted,
    confirmations: 1,
    currencies,
    compresses: compression !== undefined,
    ...createNodePort(parts, createRecovery(operator, assertKnown)),
    ...createPaymentPort(parts),
    ...createPayOutPort(parts),
    ...createCollectionWrites(parts),
    restore: port,
    wallets: createWalletPort(parts),
    isServiceAddress: (input) => isServiceAddress(operator, input),
    parseAddress,
  }
}

import { isInMerkleTree, parseAddress } from 'kassa/engine'
import type { ChainPort } from '#base/ports/chain.js'
import { createWalletPort } from './accounts/createWalletPort.js'
import { createAbilities } from './authorizations/createAbilities.js'
import { createAuthorizationPort } from './authorizations/createAuthorizationPort.js'
import { createCollectionWrites } from './collections/collectionWrites.js'
import { createChainNode } from './connection/createChainNode.js'
import { createNodePort } from './connection/createNodePort.js'
import { isServiceAddress } from './connection/isServiceAddress.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { createOperator } from './operator.js'
import { createSendWrite } from './outbox/createSendWrite.js'
import { createCreditPort } from './payments/createCreditPort.js'
import { createPaymentPort } from './payments/createPaymentPort.js'
import { createPayOutPort } from './payments/createPayOutPort.js'
import { createRestorePort } from './restore/createRestorePort.js'

/**
 * Creates the port of an EVM chain: payments found by logs, deliveries and refunds sent through the outbox.
 */
export const createEvmChain = (options: EvmChainOptions): ChainPort => {
  const { chain, chainId, isLocal, isStarted = () => true, confirmations } = options
  const operator = createOperator(options)
  const parts = { ...operator, ...createChainNode(operator) }
  const send = createSendWrite(parts)
  const authorizing = { contracts: operator.contracts, chainId, ...createAbilities(parts) }
  return {
    chain,
    family: 'evm',
    searchesAnyRange: false,
    chainId,
    isLocal,
    isStarted,
    confirmations,
    currencies: operator.currencies,
    ...createNodePort(parts),
    ...createPaymentPort(parts, authorizing),
    authorizations: createAuthorizationPort(parts, authorizing, send),
    ...createPayOutPort(parts, send),
    ...createCreditPort(parts, send),
    ...createCollectionWrites(parts, send),
    restore: createRestorePort(parts),
    wallets: createWalletPort(parts),
    isServiceAddress: (input) => isServiceAddress(operator, input),
    parseAddress,
    isInMerkleTree,
  }
}

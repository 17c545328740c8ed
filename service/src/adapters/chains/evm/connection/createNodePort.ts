import { getAddress, type PublicClient } from 'viem'
import type { ChainPort } from '#base/ports/chain.js'
import type { ChainParts } from '../chainParts.js'
import { createRecovery } from '../outbox/createRecovery.js'
import { readRateFeed } from '../payments/readRateFeed.js'
import { checkTokens } from './checkTokens.js'
import { listDeployments } from './connect.js'
import { readFinalBlock } from './finality.js'
import { inspectNode } from './inspectNode.js'
import { isContract } from './isContract.js'
import { findTransactionBlock, getBlock, getHead } from './readBlock.js'

/** Creates the part of a port that reads an EVM chain's node and keeps it going. */
export const createNodePort = (parts: ChainParts) => {
  const { options, account, deployments, use, read, readBare, peek, askFallback, heads } = parts
  const recover = createRecovery(options, account.address)
  return {
    ready: () => use(async () => {}),
    checkTokens: () => peek((client) => checkTokens(client, options)),
    recover: () => use(recover),
    getCaip2: async () => `eip155:${options.chainId}`,
    getHead: () => readBare(getHead, 'batching'),
    getHeadNumber: () => read((client) => client.getBlockNumber({ cacheTime: 0 })),
    watchHeads: heads.watch,
    announcesHeads: heads.isLive,
    getFinalBlock: () => use(({ batching }) => readFinalBlock(batching, options)),
    getOperatorBalance: () => readBare((client) => client.getBalance({ address: account.address })),
    inspect: () => peek((client) => inspectNode(client, account, listDeployments(deployments))),
    readRateFeed: (address) => {
      const readFeed = (client: PublicClient) => readRateFeed(client, getAddress(address))
      return askFallback(() => peek(readFeed), readFeed)
    },
    getBlock: (number) => use(({ batching }) => getBlock(batching, number)),
    findTransactionBlock: (txId) => use(({ batching }) => findTransactionBlock(batching, txId)),
    isContract: (address) => read((client) => isContract(client, getAddress(address))),
    close: () => {
      heads.close()
      return options.close()
    },
  } satisfies Partial<ChainPort>
}

import { createBatch } from '#base/lib/createBatch.js'
import { memoizeAsync } from '#base/lib/memoizeAsync.js'
import type { NodePort } from '#base/ports/chainParts.js'
import type { ChainParts } from '../chainParts.js'
import type { Recover } from '../outbox/createRecovery.js'
import { checkTokens } from './checkTokens.js'
import { deploy } from './deploy.js'
import { inspectNode } from './inspectNode.js'
import { isContract } from './isContract.js'
import { findTransactionBlocks, readBlock, readHead } from './readBlock.js'

/** Creates the part of a port that reads Solana's node and keeps it going. */
export const createNodePort = (parts: ChainParts, recover: Recover): NodePort => {
  const { options, chain, operator, addressOf, use, read, peek } = parts
  const { commitment, close } = options
  return {
    ready: memoizeAsync(() => use((opened) => deploy(parts, opened)), Number.POSITIVE_INFINITY, Date.now),
    checkTokens: () => peek((rpc) => checkTokens(rpc, options)),
    recover: () => use(recover),
    getCaip2: () => read(async (rpc) => `solana:${(await rpc.getGenesisHash().send()).slice(0, 32)}`),
    getHead: () => read(readHead),
    getHeadNumber: () => read((rpc) => rpc.getSlot({ commitment: 'confirmed' }).send()),
    getFinalBlock: () => read((rpc) => rpc.getSlot({ commitment }).send()),
    getOperatorBalance: () =>
      read(async (rpc) => (await rpc.getBalance(operator, { commitment: 'confirmed' }).send()).value),
    inspect: () => peek((rpc) => inspectNode(rpc, operator)),
    readRateFeed: async () => {
      throw new Error(`there are no price feeds on ${chain}`)
    },
    getBlock: (number) => read((rpc) => readBlock(rpc, number)),
    findTransactionBlock: createBatch((txIds) => read((rpc) => findTransactionBlocks(rpc, txIds))),
    isContract: (text) => read(async (rpc) => isContract(rpc, addressOf(text))),
    close,
  }
}

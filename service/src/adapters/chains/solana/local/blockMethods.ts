import type { Block } from './blockstore.js'
import type { Cluster } from './cluster.js'
import { type Method, withContext } from './method.js'
import { slotsPerEpoch } from './produceBlock.js'
import { commitmentOf, type RpcConfig, readConfig, readWhole } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'
import { showTransaction, showTransactionAccounts } from './showTransaction.js'

/** The hash that nodes show in place of one that they do not know. */
const unknownHash = '11111111111111111111111111111111'
const maxLeaders = 5_000n

const assertAvailable = (cluster: Cluster, slot: bigint): void => {
  const first = cluster.firstAvailableSlot()
  if (slot >= first) return
  throw new RpcError(
    -32001,
    `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`,
  )
}

const findBlock = (cluster: Cluster, slot: bigint, config: RpcConfig): Block => {
  assertAvailable(cluster, slot)
  if (slot > cluster.slotAt(commitmentOf(config))) {
    throw new RpcError(-32004, `Block not available for slot ${slot}`)
  }
  const block = cluster.findBlock(slot)
  if (block) return block
  throw new RpcError(-32009, `Slot ${slot} was skipped, or missing in long-term storage`)
}

const showTransactions = (cluster: Cluster, { signatures }: Block, config: RpcConfig) => {
  const { transactionDetails: details = 'full' } = config
  const transactions = () =>
    signatures.flatMap((signature) => cluster.findTransaction(signature, 'processed') ?? [])
  if (details === 'none') return {}
  if (details === 'signatures') return { signatures }
  if (details === 'full') return { transactions: transactions().map((each) => showTransaction(each, config)) }
  if (details !== 'accounts') throw invalidParams(`no transaction details ${details}`)
  return { transactions: transactions().map((each) => showTransactionAccounts(each, config)) }
}

const getBlock: Method = ({ cluster }, [slot, given]) => {
  const config = typeof given === 'string' ? readConfig({ encoding: given }) : readConfig(given)
  const block = findBlock(cluster, readWhole(slot), config)
  const { blockhash, height: blockHeight, time: blockTime } = block
  const parent = cluster.parentOf(block)
  return {
    blockhash,
    blockHeight,
    blockTime,
    parentSlot: parent?.slot ?? 0n,
    previousBlockhash: parent?.blockhash ?? unknownHash,
    ...showTransactions(cluster, block, config),
    ...(config.rewards !== false && { rewards: [] }),
  }
}

const getBlocks: Method = ({ cluster }, [first, second, third]) => {
  // The last slot may be left out.
  const isLast = typeof second === 'number'
  const newest = cluster.blockAt(commitmentOf(readConfig(isLast ? third : second))).slot
  const last = isLast && BigInt(second) < newest ? BigInt(second) : newest
  return cluster.listBlocks(readWhole(first), last).map(({ slot }) => slot)
}

const getBlocksWithLimit: Method = ({ cluster }, [first, limit, given]) =>
  cluster
    .listBlocks(readWhole(first), cluster.slotAt(commitmentOf(readConfig(given))))
    .slice(0, Number(readWhole(limit)))
    .map(({ slot }) => slot)

/** The methods that show blocks and count slots. */
export const blockMethods: Readonly<Record<string, Method>> = {
  getSlot: ({ cluster }, [given]) => cluster.blockAt(commitmentOf(readConfig(given))).slot,
  getBlockHeight: ({ cluster }, [given]) => cluster.blockAt(commitmentOf(readConfig(given))).height,
  getTransactionCount: ({ cluster }, [given]) =>
    cluster.blockAt(commitmentOf(readConfig(given))).transactionCount,
  getFirstAvailableBlock: ({ cluster }) => cluster.firstAvailableSlot(),
  getBlockTime: ({ cluster }, [given]) => {
    const slot = readWhole(given)
    assertAvailable(cluster, slot)
    return cluster.findBlock(slot)?.time ?? null
  },
  getBlock,
  getBlocks,
  getBlocksWithLimit,
  getEpochInfo: ({ cluster }, [given]) => {
    const { slot, height, transactionCount } = cluster.blockAt(commitmentOf(readConfig(given)))
    return {
      absoluteSlot: slot,
      blockHeight: height,
      epoch: slot / slotsPerEpoch,
      transactionCount,
      slotIndex: slot % slotsPerEpoch,
      slotsInEpoch: slotsPerEpoch,
    }
  },
  getEpochSchedule: () => ({
    slotsPerEpoch,
    leaderScheduleSlotOffset: slotsPerEpoch,
    warmup: false,
    firstNormalEpoch: 0,
    firstNormalSlot: 0,
  }),
  getIdentity: ({ identity }) => ({ identity }),
  getSlotLeader: ({ identity }) => identity,
  getSlotLeaders: ({ identity }, [, limit]) => {
    const count = readWhole(limit)
    if (count > maxLeaders) throw invalidParams(`limit ${count} is more than ${maxLeaders}`)
    return Array.from({ length: Number(count) }, () => identity)
  },
  getLatestBlockhash: (world, [given]) => {
    const commitment = commitmentOf(readConfig(given))
    const block = world.cluster.blockAt(commitment)
    const lastValidBlockHeight = world.cluster.lastValidHeightOf(block)
    return withContext(world, commitment, { blockhash: block.blockhash, lastValidBlockHeight })
  },
  isBlockhashValid: (world, [blockhash, given]) => {
    const commitment = commitmentOf(readConfig(given))
    return withContext(world, commitment, world.cluster.isBlockhashValid(String(blockhash), commitment))
  },
}

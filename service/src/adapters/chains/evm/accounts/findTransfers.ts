import {
  decodeEventLog,
  getAddress,
  type LogTopic,
  numberToHex,
  type PublicClient,
  padHex,
  parseAbi,
  type RpcLog,
  toEventSelector,
  zeroHash,
} from 'viem'
import type { SeenTransfer, WalletPort } from '#base/ports/wallet.js'

const abi = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
  'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
  'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
])
const selectors = abi.map((event) => toEventSelector(event))

/** Nodes refuse filters that name too many contracts. */
const maxContracts = 100
/** A log of an untrusted contract may name any number of tokens. */
const maxTokensPerLog = 1_000

const readIds = ({ topics, data }: RpcLog) => {
  const [signature, ...rest] = topics
  // ERC-20 transfers have the same event name and one topic fewer.
  if (!signature || rest.length !== 3) return undefined
  try {
    const { eventName, args } = decodeEventLog({ abi, topics: [signature, ...rest], data })
    const { from, to } = args
    if (eventName === 'Transfer') return { from, to, ids: [args.tokenId] }
    return { from, to, ids: eventName === 'TransferSingle' ? [args.id] : [...new Set(args.ids)] }
  } catch {
    return undefined
  }
}

const toTransfers = (log: RpcLog): SeenTransfer[] => {
  const moved = readIds(log)
  if (!moved || log.blockNumber === null) return []
  const { from, to, ids } = moved
  const [contract, blockNumber] = [getAddress(log.address), BigInt(log.blockNumber)]
  return ids.map((id) => ({ contract, tokenId: `${id}`, from, to, blockNumber }))
}

const inOrder = (one: RpcLog, other: RpcLog): number =>
  Number(BigInt(one.blockNumber ?? 0) - BigInt(other.blockNumber ?? 0)) ||
  Number(BigInt(one.logIndex ?? 0) - BigInt(other.logIndex ?? 0))

const [transferSelector, ...copiesSelectors] = selectors

/**
 * Finds the transfers of any contract's tokens from or to wallets. Three queries cover the three positions of
 * the wallet in a log. Their filters of four topics exclude ERC-20 transfers, whose logs have three.
 */
export const findTransfersOf = async (
  client: PublicClient,
  { fromBlock, toBlock, wallets }: Parameters<WalletPort['findTransfersOf']>[0],
): Promise<SeenTransfer[]> => {
  if (!wallets.length) return []
  const holders = wallets.map((address) => padHex(getAddress(address), { size: 32 }))
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) }
  const filters: LogTopic[][] = [
    [selectors, null, holders, null],
    [[transferSelector ?? zeroHash], holders, null, null],
    [copiesSelectors, null, null, holders],
  ]
  const answers = await Promise.all(
    filters.map((topics) => client.request({ method: 'eth_getLogs', params: [{ topics, ...range }] })),
  )
  // A transfer between two of the wallets is in two answers.
  const logs = new Map(answers.flat().map((log) => [`${log.blockHash}:${log.logIndex}`, log]))
  const asked = new Set(wallets.map((address) => getAddress(address)))
  return [...logs.values()].sort(inOrder).flatMap((log) =>
    toTransfers(log)
      .slice(0, maxTokensPerLog)
      .map(({ from, to, ...transfer }) => ({
        ...transfer,
        ...(from !== undefined && asked.has(getAddress(from)) && { from }),
        ...(to !== undefined && asked.has(getAddress(to)) && { to }),
      })),
  )
}

/** Finds the token transfers in the contracts' logs and skips logs of anything else. */
export const findTransfers = async (
  client: PublicClient,
  { fromBlock, toBlock, contracts }: Parameters<WalletPort['findTransfers']>[0],
): Promise<SeenTransfer[]> => {
  const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock), topics: [selectors] }
  const chunks = Array.from({ length: Math.ceil(contracts.length / maxContracts) }, (_, at) =>
    contracts.slice(at * maxContracts, (at + 1) * maxContracts).map((address) => getAddress(address)),
  )
  const logs = await Promise.all(
    chunks.map((address) => client.request({ method: 'eth_getLogs', params: [{ address, ...range }] })),
  )
  return logs.flat().sort(inOrder).flatMap(toTransfers)
}

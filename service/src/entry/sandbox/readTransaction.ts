import { fromBaseUnits } from 'kassa/schema'
import * as z from 'zod/mini'
import type { ChainCurrency } from '#base/ports/currency.js'
import { askNode } from './askNode.js'
import type { SandboxChain } from './sandboxChain.js'

/** A movement of coins or of a token. On Solana a balance changes, and the other side is not named. */
export type Movement = { what: string; from?: string | undefined; to?: string | undefined }

/** A transaction as an explorer shows it. Amounts are texts with their currency. */
export type ShownTransaction = {
  status: 'succeeded' | 'failed' | 'pending'
  /** The number of its block, or its slot. */
  block?: string
  at?: Date
  from: string
  to?: string | undefined
  value?: string
  fee?: string
  movements: Movement[]
}

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>

const Answer = z.object({ result: z.optional(z.unknown()) })

const show = (units: bigint, { currency, decimals }: ChainCurrency): string =>
  `${fromBaseUnits(units, decimals)} ${currency.toUpperCase()}`

const unknownCoin: ChainCurrency = { currency: '', decimals: 0 }
const findCoin = ({ currencies }: SandboxChain): ChainCurrency =>
  currencies.find(({ address }) => address === undefined) ?? unknownCoin

/** `Transfer(address,address,uint256)` of ERC-20 and ERC-721. The latter indexes the token's id too. */
const transferTopic = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

const EvmTransaction = z.object({ from: z.string(), to: z.nullish(z.string()), value: z.string() })
const EvmReceipt = z.object({
  status: z.string(),
  blockNumber: z.string(),
  gasUsed: z.string(),
  effectiveGasPrice: z.string(),
  contractAddress: z.nullish(z.string()),
  logs: z.array(z.object({ address: z.string(), topics: z.array(z.string()), data: z.string() })),
})
const EvmBlock = z.object({ timestamp: z.string() })

const toAddress = (topic = ''): string => `0x${topic.slice(-40)}`

const readMovement = (
  { address, topics, data }: z.infer<typeof EvmReceipt>['logs'][number],
  chain: SandboxChain,
): Movement[] => {
  const [topic, from, to, tokenId] = topics
  if (topic !== transferTopic || !from || !to) return []
  const parties = { from: toAddress(from), to: toAddress(to) }
  if (tokenId) return [{ what: `NFT ${BigInt(tokenId)} of ${address}`, ...parties }]
  const known = chain.currencies.find((token) => token.address?.toLowerCase() === address.toLowerCase())
  const units = data === '0x' ? 0n : BigInt(data)
  return [{ what: known ? show(units, known) : `${units} units of ${address}`, ...parties }]
}

const readEvm = async (
  ask: Ask,
  chain: SandboxChain,
  hash: string,
): Promise<ShownTransaction | undefined> => {
  const found = z.nullish(EvmTransaction).parse(await ask('eth_getTransactionByHash', hash))
  if (!found) return undefined
  const coin = findCoin(chain)
  const receipt = z.nullish(EvmReceipt).parse(await ask('eth_getTransactionReceipt', hash))
  const sent = { from: found.from, to: found.to ?? undefined, value: show(BigInt(found.value), coin) }
  if (!receipt) return { status: 'pending', ...sent, movements: [] }
  const { timestamp } = EvmBlock.parse(await ask('eth_getBlockByNumber', receipt.blockNumber, false))
  return {
    ...sent,
    status: BigInt(receipt.status) === 1n ? 'succeeded' : 'failed',
    block: BigInt(receipt.blockNumber).toString(),
    at: new Date(Number(timestamp) * 1000),
    to: sent.to ?? receipt.contractAddress ?? undefined,
    fee: show(BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice), coin),
    movements: receipt.logs.flatMap((log) => readMovement(log, chain)),
  }
}

const TokenBalance = z.object({
  accountIndex: z.number(),
  mint: z.string(),
  owner: z.optional(z.string()),
  uiTokenAmount: z.object({ amount: z.string(), decimals: z.number() }),
})
const SolanaTransaction = z.object({
  slot: z.number(),
  blockTime: z.nullish(z.number()),
  transaction: z.object({ message: z.object({ accountKeys: z.array(z.string()) }) }),
  meta: z.object({
    err: z.optional(z.unknown()),
    fee: z.number(),
    preBalances: z.array(z.number()),
    postBalances: z.array(z.number()),
    preTokenBalances: z.nullish(z.array(TokenBalance)),
    postTokenBalances: z.nullish(z.array(TokenBalance)),
    loadedAddresses: z.nullish(z.object({ writable: z.array(z.string()), readonly: z.array(z.string()) })),
  }),
})

const toMovement = (change: bigint, write: (units: bigint) => string, account: string): Movement =>
  change < 0n ? { what: write(-change), from: account } : { what: write(change), to: account }

const readSolana = async (
  ask: Ask,
  chain: SandboxChain,
  signature: string,
): Promise<ShownTransaction | undefined> => {
  const answer = await ask('getTransaction', signature, {
    encoding: 'json',
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  })
  const found = z.nullish(SolanaTransaction).parse(answer)
  if (!found) return undefined
  const { meta, slot, blockTime } = found
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {}
  const accounts = [...found.transaction.message.accountKeys, ...writable, ...readonly]
  const coin = findCoin(chain)
  const coins = accounts.flatMap((account, index) => {
    const paid = index === 0 ? meta.fee : 0
    const change = BigInt((meta.postBalances[index] ?? 0) - (meta.preBalances[index] ?? 0) + paid)
    return change === 0n ? [] : [toMovement(change, (units) => show(units, coin), account)]
  })
  const before = meta.preTokenBalances ?? []
  const after = meta.postTokenBalances ?? []
  const indexes = [...new Set([...before, ...after].map(({ accountIndex }) => accountIndex))]
  const tokens = indexes.flatMap((index) => {
    const [old, now] = [before, after].map((each) => each.find(({ accountIndex }) => accountIndex === index))
    const balance = now ?? old
    if (!balance) return []
    const change = BigInt(now?.uiTokenAmount.amount ?? 0) - BigInt(old?.uiTokenAmount.amount ?? 0)
    const known = chain.currencies.find(({ address }) => address === balance.mint)
    const write = (units: bigint): string =>
      known
        ? show(units, known)
        : `${fromBaseUnits(units, balance.uiTokenAmount.decimals)} of ${balance.mint}`
    return change === 0n ? [] : [toMovement(change, write, balance.owner ?? accounts[index] ?? '')]
  })
  return {
    status: meta.err ? 'failed' : 'succeeded',
    block: String(slot),
    ...(blockTime != null && { at: new Date(blockTime * 1000) }),
    from: accounts[0] ?? '',
    fee: show(BigInt(meta.fee), coin),
    movements: [...tokens, ...coins],
  }
}

/**
 * Reads a transaction from a local chain.
 *
 * @param hash - Its hash, or its signature on Solana.
 * @returns Undefined if the chain does not know it.
 */
export const readTransaction = async (
  chain: SandboxChain,
  hash: string,
): Promise<ShownTransaction | undefined> => {
  const rpcUrl = await chain.rpcUrl()
  const ask: Ask = async (method, ...params) =>
    Answer.parse(await askNode(rpcUrl, { jsonrpc: '2.0', id: 1, method, params })).result
  return 'operator' in chain ? readSolana(ask, chain, hash) : readEvm(ask, chain, hash)
}

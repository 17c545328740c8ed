import { fromBaseUnits } from 'kassa/schema'
import { type Address, type PublicClient, size } from 'viem'
import { ServiceError } from '#base/errors.js'
import type { ChainFacts } from '#base/ports/chain.js'
import { create2Deployer, type Deployment } from './addresses.js'
import { priceOf, readBlockTerms } from './fees.js'
import { getBlock, getHead } from './readBlock.js'

/** The gas of a sale: a mint, and a sweep or a refund, with a margin. */
const saleGas = 300_000n
/** Nodes ask that an account holds twice what a block asks now, because the offered fee has room for a rise. */
const offered = 2n
/** How far back a payment may be looked for. */
const historyMs = 30 * 86_400_000
const sampleBlocks = 1_000n

type Operator = { chain: string; nativeCurrency: string; address: Address }

const findMissing = async (
  client: PublicClient,
  deployments: readonly Deployment[],
): Promise<Deployment[]> => {
  const codes = await Promise.all(deployments.map(({ address }) => client.getCode({ address })))
  return deployments.filter((_, at) => !codes[at])
}

/** The gas of a deployment: its data, and the code that it leaves. Never less than what a node estimates. */
const gasOf = ({ data }: Deployment): bigint => 100_000n + BigInt(size(data)) * 240n

/** Returns what the account must hold so that the missing contracts can be deployed. @units wei */
const priceDeployments = async (client: PublicClient, missing: readonly Deployment[]): Promise<bigint> => {
  if (!missing.length) return 0n
  const { asked } = await readBlockTerms(client)
  return missing.reduce((gas, each) => gas + gasOf(each), 0n) * priceOf(asked) * offered
}

/** Reads from which of a few ages on the node has a block and its logs. */
const readHistory = async (client: PublicClient, head: ChainFacts['head']): Promise<number> => {
  const number = head.number > sampleBlocks ? head.number - sampleBlocks : 0n
  const sample = await getBlock(client, number)
  const blocks = Number(head.number - number)
  const blockMs = sample && blocks ? Math.max(1, (head.timestampMs - sample.timestampMs) / blocks) : 1
  for (const age of [historyMs, historyMs / 4, 86_400_000, 3_600_000]) {
    const back = BigInt(Math.floor(age / blockMs))
    const blockNumber = head.number > back ? head.number - back : 0n
    const isThere = await client
      .getLogs({ address: create2Deployer, fromBlock: blockNumber, toBlock: blockNumber })
      .then(async () => (await getBlock(client, blockNumber)) !== undefined)
      .catch(() => false)
    if (isThere) return age
  }
  return 0
}

/** Reads what an operator wants to know of a chain. */
export const inspectNode = async (
  client: PublicClient,
  { address }: Pick<Operator, 'address'>,
  deployments: readonly Deployment[],
): Promise<ChainFacts> => {
  const startedAtMs = performance.now()
  const head = await getHead(client)
  const latencyMs = Math.round(performance.now() - startedAtMs)
  const [chainId, units, { asked }, missing, history] = await Promise.all([
    client.getChainId(),
    client.getBalance({ address }),
    readBlockTerms(client),
    findMissing(client, deployments),
    readHistory(client, head),
  ])
  return {
    caip2: `eip155:${chainId}`,
    head,
    latencyMs,
    historyMs: history,
    operator: {
      address,
      units,
      saleUnits: saleGas * priceOf(asked),
      setUpUnits: await priceDeployments(client, missing),
    },
  }
}

/** The operator's account cannot pay for the contracts. The message says which address to fund with how much. */
export class UnfundedError extends ServiceError {
  constructor(message: string) {
    super('chain-unavailable', message, { retryAfterSeconds: 60 })
  }
}

/**
 * Refuses to deploy contracts that the operator's account cannot pay for: the node would refuse them one after the
 * other.
 *
 * @throws {@link UnfundedError}
 */
export const assertFunded = async (
  client: PublicClient,
  { chain, nativeCurrency, address }: Operator,
  missing: readonly Deployment[],
): Promise<void> => {
  const [units, needed] = await Promise.all([
    client.getBalance({ address }),
    priceDeployments(client, missing),
  ])
  if (units >= needed) return
  const { asked } = await readBlockTerms(client)
  // The bound is rough, so the node is asked before an account is refused.
  const gases = await Promise.all(
    missing.map((each) =>
      client
        .estimateGas({ account: address, to: create2Deployer, data: each.data })
        // Some nodes estimate nothing for an empty account.
        .catch(() => gasOf(each)),
    ),
  )
  const least = gases.reduce((sum, gas) => sum + gas, 0n) * priceOf(asked)
  if (units >= least) return
  const lack = `holds ${fromBaseUnits(units, 18)} ${nativeCurrency}, and its contracts there need ${fromBaseUnits(needed, 18)}`
  throw new UnfundedError(`The operator's account ${address} on ${chain} ${lack}: send it that much.`)
}

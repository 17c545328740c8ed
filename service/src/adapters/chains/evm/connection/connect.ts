import { type Address, createPublicClient, defineChain, type Hex, type PublicClient } from 'viem'
import { ConfigError } from '#base/config/settings.js'
import { ServiceError } from '#base/errors.js'
import { attemptKey, type WriteResult } from '#base/ports/write.js'
import type { EvmChainOptions } from '../evmChainOptions.js'
import { placeUsdc } from '../local/placeUsdc.js'
import type { Operator } from '../operator.js'
import { createOutbox, type Outbox } from '../outbox/outbox.js'
import { findReverted } from '../outbox/signed.js'
import { findUnknownWrites } from '../restore/findUnknownWrites.js'
import { assertKnown } from '../restore/operatorNonce.js'
import {
  authorizationDeployments,
  create2Deployer,
  type Deployment,
  type getDeployments,
} from './addresses.js'
import { checkTokens } from './checkTokens.js'
import { createTransport } from './createTransport.js'
import type { Heads } from './heads.js'
import { assertFunded } from './inspectNode.js'

/** A node that answers, with the service's contracts deployed. */
export type Connection = {
  client: PublicClient
  /** A client that sends the calls of a moment in one request. */
  batching: PublicClient
  outbox: Outbox
}

/** How many calls one request has at most: providers limit them. */
const batchSize = 20
const localGasMoney: Hex = '0xd3c21bcecceda1000000'

/** How long to wait after a reverted deployment before paying for the next one. */
const redeployAfterMs = 10 * 60_000

const later = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds })

const deploy = async (
  { client, outbox }: Pick<Connection, 'client' | 'outbox'>,
  { chain, db }: EvmChainOptions,
  { name, address, data }: Deployment,
): Promise<void> => {
  const key = `deploy:${address}`
  const reverted = await findReverted(db, `${chain}:${key}`)
  const [last] = reverted
  const hasWaited = !last || Date.now() - last.createdAt.getTime() >= redeployAfterMs
  const result: WriteResult = hasWaited
    ? await outbox.send(attemptKey(key, reverted.length + 1), async () => ({ to: create2Deployer, data }))
    : { status: 'failed', reason: last.revertReason ?? 'reverted' }
  if (await client.getCode({ address })) return
  if (result.status === 'failed') {
    throw later(`${name} could not be deployed on ${chain}: ${result.reason}`, redeployAfterMs / 1000)
  }
  // A call to a missing contract succeeds and does nothing, so payments to it would be lost.
  throw later(`${chain} does not show ${name} at ${address} after its deployment`, 5)
}

/**
 * Deploys the missing contracts through the deployer that gives each one its address.
 *
 * @param options - With the address of the account that pays.
 */
export const deployMissing = async (
  connection: Pick<Connection, 'client' | 'outbox'>,
  options: EvmChainOptions & { address: Address },
  deployments: readonly Deployment[],
): Promise<void> => {
  const { client } = connection
  const codes = await Promise.all(deployments.map(({ address }) => client.getCode({ address })))
  const missing = deployments.filter((_, at) => !codes[at])
  if (!missing.length) return
  if (!(await client.getCode({ address: create2Deployer }))) {
    const message = `${options.chain} has no deployer at ${create2Deployer}, so no contract can be deployed there.`
    throw later(message, 600)
  }
  await assertFunded(client, options, missing)
  await Promise.all(missing.map((deployment) => deploy(connection, options, deployment)))
}

/**
 * Connects to a chain's node without changing anything.
 *
 * @throws {ServiceError} `chain-unavailable` if the node serves another chain, where worthless coins would
 * buy goods.
 */
export const openClient = async ({
  chain,
  chainId,
  nativeCurrency,
  rpcUrl,
}: EvmChainOptions): Promise<PublicClient> => {
  const url = await rpcUrl()
  const client: PublicClient = createPublicClient({
    chain: defineChain({
      id: chainId,
      name: chain,
      nativeCurrency: { name: nativeCurrency, symbol: nativeCurrency.toUpperCase(), decimals: 18 },
      rpcUrls: { default: { http: [url] } },
    }),
    cacheTime: 0,
    ccipRead: false,
    transport: createTransport(url),
  })
  const actualId = await client.getChainId()
  if (actualId === chainId) return client
  const message = `The node of ${chain} is on the chain ${actualId}, not ${chainId}: its URL is wrong.`
  throw new ServiceError('chain-unavailable', message, { isOutage: true, retryAfterSeconds: 60 })
}

/** Lists the contracts that a chain needs before orders can be paid there. */
export const listDeployments = ({
  collectionCode,
  testTokens,
  ...single
}: ReturnType<typeof getDeployments>): Deployment[] => [
  ...Object.values(single),
  ...Object.values(collectionCode),
  ...testTokens,
  // Main networks have it.
  ...(testTokens.length ? [authorizationDeployments.permit2] : []),
]

/** Opens a chain: connects to its node, resends what the node has lost, and deploys missing contracts. */
export const connect = async (operator: Operator, heads: Heads): Promise<Connection> => {
  const { options, account, deployments } = operator
  const { chain, isLocal, db, log, confirmations, maxFeePerGas, pollMs } = options
  const client = await openClient(options)
  await checkTokens(client, options).catch((error) => {
    if (!(error instanceof ConfigError)) throw error
    log.error({ chain, err: error }, 'the tokens of a chain are configured wrongly')
    throw later(`${chain} is not served while its configuration is wrong.`, 600)
  })
  await assertKnown({ client, db, log }, { chain, operator: account.address }, () =>
    findUnknownWrites(operator, client),
  )
  const batching: PublicClient = createPublicClient({
    chain: client.chain,
    cacheTime: 0,
    ccipRead: false,
    transport: createTransport(client.transport.url ?? '', { batchSize }),
  })
  const { explainUndue } = options
  const sender = { client, batching, account, explainUndue, nextHead: heads.next }
  const headsUrl = options.headsUrl?.(client.chain?.rpcUrls.default.http[0] ?? '')
  if (headsUrl !== undefined) heads.listen(headsUrl)
  const outbox = createOutbox({
    db,
    log,
    chain,
    confirmations,
    maxFeePerGas,
    pollMs,
    ...sender,
    isExclusive: true,
  })
  if (isLocal) {
    await client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
      method: 'anvil_setBalance',
      params: [account.address, localGasMoney],
    })
  }
  if (options.tokens === 'test-tokens') await placeUsdc(client, chain)
  await outbox.recover()
  const connection = { client, batching, outbox }
  await deployMissing(connection, { ...options, address: account.address }, listDeployments(deployments))
  return connection
}

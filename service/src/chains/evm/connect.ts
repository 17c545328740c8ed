import { createPublicClient, defineChain, type Hex, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ServiceError } from '../../errors.js'
import { ConfigError } from '../../settings.js'
import { attemptKey, type WriteResult } from '../port.js'
import { create2Deployer, type Deployment, type getDeployments } from './addresses.js'
import { checkTokens } from './checkTokens.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { createOutbox, type Outbox } from './outbox.js'
import { findReverted } from './signed.js'

/** A node that answers, with our contracts in place. */
export type Connection = { client: PublicClient; outbox: Outbox }

const requestMs = 8_000
const localGasMoney: Hex = '0xd3c21bcecceda1000000'

/** How long after a deployment that the chain reverted the next one is paid for. */
const redeployAfterMs = 10 * 60_000

const later = (message: string, retryAfterSeconds: number): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds })

const deploy = async (
  { client, outbox }: Connection,
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
  // A call to a contract that is not there succeeds and does nothing: payments would go to nobody.
  throw later(`${chain} does not show ${name} at ${address} after its deployment`, 5)
}

/** Puts in place what is missing, by the deployer that gives each contract its address. */
export const deployMissing = async (
  connection: Connection,
  options: EvmChainOptions,
  deployments: readonly Deployment[],
): Promise<void> => {
  const { client } = connection
  const codes = await Promise.all(deployments.map(({ address }) => client.getCode({ address })))
  const missing = deployments.filter((_, at) => !codes[at])
  if (!missing.length) return
  if (!(await client.getCode({ address: create2Deployer }))) {
    const message = `${options.chain} lacks the deployer ${create2Deployer}: without it no contract can be put there.`
    throw later(message, 600)
  }
  await Promise.all(missing.map((deployment) => deploy(connection, options, deployment)))
}

/**
 * Reaches the node of a chain, changing nothing.
 *
 * @throws {ServiceError} `chain-unavailable` when the node is another chain's: what is worth nothing there would buy.
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
    transport: http(url, { timeout: requestMs, retryCount: 1 }),
  })
  const actualId = await client.getChainId()
  if (actualId === chainId) return client
  const message = `The node of ${chain} is on the chain ${actualId}, not ${chainId}: its URL is wrong.`
  throw new ServiceError('chain-unavailable', message, { isOutage: true, retryAfterSeconds: 60 })
}

/** Opens a chain: reaches its node, sends again what the node has lost, puts missing contracts in place. */
export const connect = async (
  options: EvmChainOptions,
  account: PrivateKeyAccount,
  { collectionCode, testTokens, ...single }: ReturnType<typeof getDeployments>,
): Promise<Connection> => {
  const { chain, isLocal, db, log, confirmations, maxFeePerGas, pollMs } = options
  const client = await openClient(options)
  await checkTokens(client, options).catch((error) => {
    if (!(error instanceof ConfigError)) throw error
    log.error({ chain, err: error }, 'the tokens of a chain are configured wrongly')
    throw later(`${chain} is not served while its configuration is wrong.`, 600)
  })
  const outbox = createOutbox({ db, log, client, account, chain, confirmations, maxFeePerGas, pollMs })
  if (isLocal) {
    await client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
      method: 'anvil_setBalance',
      params: [account.address, localGasMoney],
    })
  }
  await outbox.recover()
  const connection = { client, outbox }
  const deployments = [...Object.values(single), ...Object.values(collectionCode), ...testTokens]
  await deployMissing(connection, options, deployments)
  return connection
}

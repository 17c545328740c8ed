import { createPublicClient, defineChain, type Hex, http, type PublicClient } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { ServiceError } from '../../errors.js'
import { create2Deployer, type Deployment, type getDeployments } from './addresses.js'
import type { EvmChainOptions } from './evmChainOptions.js'
import { createOutbox, type Outbox } from './outbox.js'

/** A node that answers, with our contracts in place. */
export type Connection = { client: PublicClient; outbox: Outbox }

const requestMs = 8_000
const localGasMoney: Hex = '0xd3c21bcecceda1000000'

const deploy = async ({ client, outbox }: Connection, { name, address, data }: Deployment): Promise<void> => {
  if (await client.getCode({ address })) return
  const result = await outbox.send(`deploy:${address}`, async () => ({ to: create2Deployer, data }))
  if (result.status === 'failed') throw new Error(`could not deploy ${name}: ${result.reason}`)
  // Where the deployer is missing the call succeeds and does nothing, and payments would go to nobody.
  if (!(await client.getCode({ address })))
    throw new Error(`${name} is not at ${address} after its deployment`)
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
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 60 })
}

/** Opens a chain: reaches its node, sends again what the node has lost, puts missing contracts in place. */
export const connect = async (
  options: EvmChainOptions,
  account: PrivateKeyAccount,
  { collectionCode, testTokens, ...single }: ReturnType<typeof getDeployments>,
): Promise<Connection> => {
  const { chain, isLocal, db, log, confirmations, pollMs } = options
  const client = await openClient(options)
  const outbox = createOutbox({ db, log, client, account, chain, confirmations, pollMs })
  if (isLocal) {
    await client.request<{ Method: string; Parameters: unknown[]; ReturnType: unknown }>({
      method: 'anvil_setBalance',
      params: [account.address, localGasMoney],
    })
  }
  await outbox.recover()
  const connection = { client, outbox }
  const deployments = [...Object.values(single), ...Object.values(collectionCode), ...testTokens]
  await Promise.all(deployments.map((deployment) => deploy(connection, deployment)))
  return connection
}

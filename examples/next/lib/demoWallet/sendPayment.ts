import {
  BaseError,
  createWalletClient,
  type Hex,
  HttpRequestError,
  hexToBigInt,
  http,
  type LocalAccount,
  TimeoutError,
} from 'viem'
import { chainsByName, type EvmNetwork } from '../networks'
import type { TransactionRequest } from './describePayment'
import { ProviderError } from './providerError'

const isAway = (error: unknown): boolean =>
  error instanceof BaseError &&
  error.walk((cause) => cause instanceof HttpRequestError || cause instanceof TimeoutError) !== null

const toProviderError = (error: unknown, network: EvmNetwork): unknown =>
  isAway(error)
    ? new ProviderError(4901, `The network ${network.label} does not answer.`, { cause: error })
    : error

const getClient = (network: EvmNetwork) =>
  createWalletClient({ transport: http(network.rpcUrl, { retryCount: 1, timeout: 10_000 }) })

/** Forwards a page's request to the network's node. */
export const askNode = async (network: EvmNetwork, method: string, params: unknown): Promise<unknown> => {
  try {
    // The cast is deliberate: a wallet forwards any method, so no list of methods types it.
    return await getClient(network).request({ method, params } as never)
  } catch (error) {
    throw toProviderError(error, network)
  }
}

/**
 * Signs a payment and sends it to the network's node.
 *
 * @returns The transaction hash.
 */
export const sendPayment = async (
  account: LocalAccount,
  network: EvmNetwork,
  { to, value, data, gas }: TransactionRequest,
): Promise<Hex> => {
  try {
    return await getClient(network).sendTransaction({
      account,
      chain: chainsByName[network.name],
      to,
      value: hexToBigInt(value ?? '0x0'),
      ...(data && { data }),
      ...(gas && { gas: hexToBigInt(gas) }),
    })
  } catch (error) {
    throw toProviderError(error, network)
  }
}

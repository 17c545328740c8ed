import { hashOperation, readApproval } from 'kassa/engine'
import type { PublicClient } from 'viem'
import { toHex as bytesToHex, getAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { ServiceError } from '#base/errors.js'
import type { OperationPort } from '#base/ports/operations.js'
import { EntryPoint } from '../artifacts/EntryPoint.js'
import type { ChainParts } from '../chainParts.js'
import { walletDeployments } from '../connection/addresses.js'
import { type Connection, deployMissing } from '../connection/connect.js'
import { toHex } from '../outbox/signed.js'
import { findOperation } from './operationResult.js'
import { prepareOperation } from './prepareOperation.js'
import { sendOperations } from './sendOperations.js'
import { getSmartWalletAddress } from './smartWalletAddress.js'

/**
 * Creates the operation port of an EVM chain: ERC-4337 user operations, bundled under the operator's own key.
 */
export const createOperationPort = ({ options, account, use }: ChainParts): OperationPort => {
  const { chainId } = options
  const inPlace = new WeakMap<Connection, Promise<void>>()

  /**
   * Deploys the wallet contracts on first use, so that a deployment that only takes payments never pays for
   * them.
   */
  const putInPlace = (opened: Connection): Promise<void> => {
    const known = inPlace.get(opened)
    if (known) return known
    const deployed = deployMissing(
      opened,
      { ...options, address: account.address },
      Object.values(walletDeployments),
    )
    inPlace.set(opened, deployed)
    deployed.catch(() => inPlace.delete(opened))
    return deployed
  }

  const useWallets = <Result>(work: (opened: Connection) => Promise<Result>): Promise<Result> =>
    use(async (opened) => {
      await putInPlace(opened)
      return work(opened)
    })

  const readChain = <Result>(work: (client: PublicClient) => Promise<Result>): Promise<Result> =>
    useWallets(({ client }) => work(client))

  return {
    walletAddress: (wallet) => getAddress(getSmartWalletAddress(wallet)),
    getNonce: (address, channel) =>
      readChain((client) =>
        client.readContract({
          address: walletDeployments.entryPoint.address,
          ...EntryPoint,
          functionName: 'getNonce',
          args: [getAddress(address), channel],
        }),
      ),
    prepare: (input) => readChain((client) => prepareOperation(client, options, input)),
    hash: (operation) => hashOperation(operation, chainId),
    readApproval,
    sign: (privateKey, hash) =>
      privateKeyToAccount(bytesToHex(privateKey)).signMessage({ message: { raw: toHex(hash) } }),
    find: async (operation, errors) => {
      const signed = { operation, hash: hashOperation(operation, chainId), errors }
      const sight = await readChain((client) => findOperation(client, options, signed))
      if (sight !== 'shallow') return typeof sight === 'object' ? sight : undefined
      const message = `${options.chain} may still take back an operation`
      throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
    },
    send: (key, { operations, errors, wallet }, terms) =>
      useWallets((opened) =>
        sendOperations(
          { opened, chain: options, operator: account.address, wallet, onSent: terms?.onSent },
          key,
          operations.map((operation, at) => ({
            operation,
            hash: hashOperation(operation, chainId),
            errors: errors[at] ?? [],
          })),
        ),
      ),
  }
}

import { explainDisabled, familyOfWallet } from 'kassa/engine'
import type { EvmMpcWalletParams, EvmSmartWalletParams, Transaction } from 'kassa/schema'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { createUuid } from '#base/lib/uuid.js'
import type { CallPort, EncodedCall, WrittenCall } from '#base/ports/calls.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import { requireCalls, requireOperations } from './actingWallet.js'
import { createCall } from './calls/createCall.js'
import { createOperation } from './operations/createOperation.js'
import { simulationLink } from './simulationLink.js'

/** Converts the call of an account to the form of a contract call or of an encoded one. */
const toWritten = ({ call }: EvmMpcWalletParams): WrittenCall => {
  if ('abi' in call) return call
  const { to, data, value } = call
  return { to, data, ...(value !== undefined && { value }) }
}

const encode = (port: CallPort, params: EvmSmartWalletParams | EvmMpcWalletParams): EncodedCall[] =>
  'calls' in params
    ? port.encode(params.calls, 'params.calls')
    : port.encode([toWritten(params)], 'params.call')

/**
 * Adds the page that replays a call to the report of its revert.
 *
 * @throws {@link ServiceError} The given error, or the same one with the link.
 */
const withSimulation = (error: unknown, link: string | undefined): never => {
  if (link === undefined || !(error instanceof ServiceError) || error.code !== 'reverted' || !error.detail) {
    throw error
  }
  const { message, detail } = error
  const revert = { ...Object(detail.revert), simulationLink: link }
  throw new ServiceError('reverted', message, { detail: { ...detail, revert } })
}

/** A wallet, and what it is to do. */
export type TransactionInput = {
  /** The transaction's id. A new one if it is left out. */
  id?: string
  wallet: WalletRow
  params: EvmSmartWalletParams | EvmMpcWalletParams
}

/**
 * Simulates what a wallet is to do, numbers it and stores it. The transaction then awaits the signer's
 * approval, or is sent at once if the service signs.
 *
 * @throws {@link ServiceError} `input-invalid`, `unprocessable`, `reverted`, `chain-unavailable`.
 */
export const startTransaction = async (
  deps: Deps,
  call: Call,
  { id = createUuid(deps.randomBytes), wallet, params }: TransactionInput,
): Promise<Transaction> => {
  const chain = deps.chains.get(params.chain)
  if (!chain)
    throw new ServiceError(
      'input-invalid',
      `params.chain: ${explainDisabled(params.chain, deps.chains.enabled)}`,
    )
  if (chain.family !== familyOfWallet(wallet.type)) {
    throw new ServiceError(
      'input-invalid',
      `params.chain: an ${wallet.type} has no address on ${params.chain}`,
    )
  }
  const port = requireCalls(chain)
  const calls = encode(port, params)
  const parties = [wallet.address, wallet.adminSigner.address ?? '']
  assertUnsanctioned(deps.config, ...parties, ...calls.flatMap(({ to, data }) => [to, data]))

  const { projectId } = call.actor
  const { locator: signer } = wallet.adminSigner
  const fresh = { id, projectId, walletId: wallet.id, chain: params.chain, calls, signer }
  const started =
    'calls' in params
      ? createOperation(
          deps,
          call,
          { wallet, port: requireOperations(chain) },
          { ...fresh, params: { ...params, signer } },
        )
      : createCall(deps, call, { wallet, port }, { ...fresh, params })
  const page = simulationLink(deps.config, { chain: params.chain, from: wallet.address, calls })
  return started.catch((error) => withSimulation(error, page))
}

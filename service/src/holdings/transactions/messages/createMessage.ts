import { assertSigners, programFailed, toSigner } from 'kassa/engine'
import {
  fields,
  type SolanaMpcWalletParams,
  type SolanaSmartWalletParams,
  type Transaction,
} from 'kassa/schema'
import * as z from 'zod/mini'
import type { Call } from '#base/call.js'
import type { Deps } from '#base/deps.js'
import { checkInput, ServiceError, toServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { createUuid } from '#base/lib/uuid.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { ReadMessage } from '#base/ports/messages.js'
import type { WalletRow } from '#identity/wallets/findWallet.js'
import { listChainsOf } from '#identity/wallets/kinds.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import { toProgramRef } from '#identity/wallets/smartWalletRef.js'
import { requireMessages, requirePrograms } from '../actingWallet.js'
import { insertTransaction } from '../insertTransaction.js'
import { takeSequences } from '../nonceChannels.js'

const field = 'params.transaction'

/** Finds the enabled chain of a wallet whose transactions name none: its family has one. */
const requireChainOf = (deps: Pick<Deps, 'chains'>, wallet: WalletRow): ChainPort => {
  const [chain] = listChainsOf(deps, wallet)
  if (chain) return chain
  const message = `params: no chain of a ${wallet.type} is enabled on this deployment`
  throw new ServiceError('input-invalid', message)
}

/**
 * Creates a transaction that a wallet signs as it is. It awaits the approvals of the others who sign it, or is
 * sent at once.
 *
 * @throws {@link ServiceError} `input-invalid` naming the field; `reverted` with the logs of the program that
 * fails; `chain-unavailable`.
 * @source answers.md "Revised: Solana"
 */
export const createMessage = async (
  deps: Deps,
  call: Call,
  { wallet, params }: { wallet: WalletRow; params: SolanaMpcWalletParams },
): Promise<Transaction> => {
  const port = requireChainOf(deps, wallet)
  const read = requireMessages(port).read(field, params.transaction, wallet.address)
  checkInput(() => assertSigners(params.requiredSigners ?? [], read.signers))
  return startMessage(deps, call, { wallet, port, params, read })
}

const ProgramBody = z.object({ params: fields.SolanaSmartWalletParams })

/**
 * Creates a transaction that the program of a smart wallet executes. It awaits the approvals of the wallet's signer
 * and of the others who sign it.
 *
 * @throws {@link ServiceError} As {@link createMessage}.
 */
export const createProgramMessage = async (
  deps: Deps,
  call: Call,
  { wallet, body }: { wallet: WalletRow; body: unknown },
): Promise<Transaction> => {
  const { params } = parseInput(ProgramBody, body, 'body')
  const { signer } = toProgramRef(wallet)
  if (params.signer !== undefined && params.signer.replace(/^solana-keypair:/, '') !== signer) {
    const message = `params.signer: expected ${toSigner(signer)}, the signer of this wallet`
    throw new ServiceError('input-invalid', message)
  }
  const port = requireChainOf(deps, wallet)
  const read = await requirePrograms(port).wrap(field, params.transaction, toProgramRef(wallet))
  if (!read.signers.includes(signer)) throw new Error('a smart wallet on Solana acts without its signer')
  return startMessage(deps, call, { wallet, port, params, read })
}

/** A transaction that was read, and the wallet that asks for it. */
type MessageInput = {
  wallet: WalletRow
  port: ChainPort
  params: SolanaMpcWalletParams | SolanaSmartWalletParams
  read: ReadMessage
}

const startMessage = async (
  deps: Deps,
  call: Call,
  { wallet, port, params, read }: MessageInput,
): Promise<Transaction> => {
  const messages = requireMessages(port)
  const [parties, tried] = await Promise.all([
    messages.listParties(read.transaction),
    messages.try(field, read.transaction),
  ])
  assertUnsanctioned(deps.config, wallet.address, ...parties)
  if (tried.status === 'failed') throw toServiceError(programFailed(tried.error))
  const { chain } = port
  const id = createUuid(deps.randomBytes)
  return deps.db.transaction(async (tx) => {
    const sequence = await takeSequences(tx, { walletId: wallet.id, chain }, 1)
    const isAwaited = read.signers.length > 0
    if (isAwaited) {
      const startAfter = new Date(deps.now() + expiryMs)
      await deps.jobs.enqueue(tx, 'transactions.expire', { transactionId: id }, { startAfter })
    }
    return insertTransaction(deps, call, tx, {
      id,
      projectId: call.actor.projectId,
      walletId: wallet.id,
      chain,
      sequence,
      params,
      calls: [],
      status: isAwaited ? 'awaiting-approval' : 'pending',
      signer: wallet.adminSigner.locator,
      message: {
        message: read.message,
        signers: [...read.signers],
        submitted: [],
        parties,
        ...(read.transaction !== params.transaction && { transaction: read.transaction }),
        lastValidBlockHeight: `${tried.lastValidBlockHeight}`,
      },
    })
  })
}

/** When a blockhash is first expected to have expired: 150 blocks, and 32 until they are final. */
const expiryMs = 75_000

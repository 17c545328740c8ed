import { makeKey } from '../../../../api/makeKey.js'
import { invalid } from '../../../../engine/invalidInput.js'
import { toErrorText } from '../../../../engine/solana/explainFailure.js'
import { blockhashExpired, blockhashLifetime } from '../../../../engine/wallet/askedMessage.js'
import { assertSigners } from '../../../../engine/wallet/messageSigners.js'
import { readParams } from '../../../../engine/wallet/readParams.js'
import { programFailed } from '../../../../engine/wallet/reverted.js'
import type { Outcome } from '../../../solana/testSolana.js'
import type { MessageTransaction, SolanaUserWallet, TestWorld } from '../../testWorld.js'
import { toUuid } from '../../toUuid.js'
import { type AskedMessage, readMessage } from './readMessage.js'
import { sendMessage } from './sendMessage.js'

const simulate = ({ solana, faults }: TestWorld, field: string, { message }: AskedMessage): Outcome => {
  const isGone = solana.findLastHeight(message.blockhash) === undefined
  if (isGone) throw blockhashExpired(field)
  if (!faults.refused.length) return solana.simulate(message)
  const reason = faults.refused.shift() ?? 'refused by the test'
  return {
    err: { InstructionError: [0, { Custom: 1 }] },
    logs: [`Program log: Error: ${reason}`],
    transfers: [],
  }
}

/** @throws {@link Refusal} with the logs of the program that fails. */
const assertSucceeds = ({ err, logs }: Outcome): void => {
  if (err === null) return
  throw programFailed({ reason: 'program_error', message: toErrorText(err), logs })
}

/**
 * Creates a transaction that a wallet signs as it is, simulated first. It awaits the approvals of the others who
 * sign it, or is sent at once.
 */
export const createMessage = (
  world: TestWorld,
  wallet: SolanaUserWallet,
  input: unknown,
): MessageTransaction => {
  const params = readParams(wallet.type, input)
  if (!world.enabled.includes('solana'))
    throw invalid('params', `no chain of a ${wallet.type} is enabled on this deployment`)
  const field = 'params.transaction'
  const asked = readMessage(field, params.transaction, wallet.address)
  const { signers, text } = asked
  assertSigners(params.requiredSigners ?? [], signers)
  assertSucceeds(simulate(world, field, asked))
  const { solana, faults } = world
  const createdAtMs = world.now()
  const failsWith = faults.failed.length ? (faults.failed.shift() ?? 'failed by the test') : undefined
  const transaction: MessageTransaction = {
    id: toUuid(makeKey()),
    wallet,
    params,
    message: text,
    signers,
    submitted: [],
    createdAtMs,
    status: 'awaiting-approval',
    lastBlockHeight: solana.heightAt(createdAtMs) + blockhashLifetime,
    failsWith,
  }
  world.transactions.set(transaction.id, transaction)
  if (!signers.length) sendMessage(world, transaction)
  return transaction
}

import { type Address, numberToHex } from 'viem'
import { makeKey } from '../../../api/makeKey.js'
import { type EncodedCall, encodeCalls } from '../../../engine/evm/encodeCalls.js'
import { encodeExecution } from '../../../engine/evm/execution.js'
import { hashOperation } from '../../../engine/evm/hashOperation.js'
import { invalid } from '../../../engine/invalidInput.js'
import { approvalSeconds, toOwnNonce } from '../../../engine/wallet/operationNonce.js'
import { type AskedParams, readParams } from '../../../engine/wallet/readParams.js'
import { assertWalletSigner } from '../../../engine/wallet/signer.js'
import { evmChains } from '../../../schema/chains.js'
import type { UserOperation } from '../../../schema/transaction.js'
import type { Answer } from '../http.js'
import type { CallTransaction, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'
import { createMessage } from './messages/createMessage.js'
import { readChain } from './readTransactions.js'
import { sendTransaction } from './sendTransaction.js'
import { toRevertData, tryTransaction } from './tryTransaction.js'
import { requireTestWallet } from './wallets.js'
import { viewWalletTransaction } from './walletTransaction.js'

const gas = {
  callGasLimit: numberToHex(200_000),
  verificationGasLimit: numberToHex(500_000),
  preVerificationGas: numberToHex(60_000),
}

/** What an operation is made of. */
type NewOperation = { sender: Address; nonce: bigint; calls: readonly EncodedCall[] }

/** Makes an operation that offers no fees: the service pays for its gas. It is yet to be signed. */
const makeOperation = ({ sender, nonce, calls }: NewOperation): UserOperation => ({
  sender,
  nonce: numberToHex(nonce),
  callData: encodeExecution(calls),
  signature: '0x',
  ...gas,
  maxFeePerGas: '0x0',
  maxPriorityFeePerGas: '0x0',
})

const encode = (params: AskedParams, chainId: number): EncodedCall[] =>
  'calls' in params
    ? encodeCalls(params.calls, 'params.calls', chainId)
    : encodeCalls([params.call], 'params.call', chainId)

/** Has the service sign for a wallet that it keeps. */
const signAsCustodian = async (world: TestWorld, transaction: CallTransaction): Promise<void> => {
  const { wallet, operation: made } = transaction
  if (!wallet.custodian || !made) return
  const { hash, operation } = made
  const signature = await wallet.custodian.signMessage({ message: { raw: hash } })
  const submittedAt = new Date(world.now()).toISOString()
  transaction.operation = { hash, operation: { ...operation, signature } }
  transaction.submitted = { signer: wallet.adminSigner.locator, message: hash, signature, submittedAt }
}

/**
 * Creates a transaction of a wallet, tried out first: to be approved by the wallet's signer, or sent at once where the
 * service signs.
 */
export const createWalletTransaction = async (
  world: TestWorld,
  locator: string,
  input: unknown,
): Promise<Answer> => {
  const wallet = requireTestWallet(world, locator)
  if (wallet.type === 'solana-mpc-wallet')
    return { status: 201, body: viewWalletTransaction(createMessage(world, wallet, input)) }
  const params: AskedParams = readParams(wallet.type, input)
  if ('calls' in params) assertWalletSigner(params.signer, wallet.adminSigner.locator)
  const chain = readChain(world, 'params.chain', params.chain)
  if (chain === 'solana') throw invalid('params.chain', `an ${wallet.type} has no address on ${chain}`)
  const { chainId } = evmChains[chain]
  const calls = encode(params, chainId)
  tryTransaction(world, { wallet, chainId, calls })
  const { address: sender, adminSigner } = wallet
  const createdAtMs = world.now()
  const transaction: CallTransaction = {
    id: toUuid(makeKey()),
    wallet,
    chain,
    calls,
    createdAtMs,
    params: 'calls' in params ? { ...params, signer: adminSigner.locator } : params,
    status: wallet.custodian ? 'pending' : 'awaiting-approval',
    ...(world.faults.failed.length && { failsWith: toRevertData(world.faults.failed.shift()) }),
  }
  if (wallet.type === 'evm-smart-wallet') {
    const own = [...world.transactions.values()].filter(
      (other) => other.wallet === wallet && 'chain' in other && other.chain === chain,
    )
    const sequence = BigInt(own.length)
    const deadlineSeconds = Math.floor(createdAtMs / 1_000) + approvalSeconds
    // The custodian's operations follow each other in one channel.
    const nonce = wallet.custodian ? sequence : toOwnNonce(sequence, deadlineSeconds)
    const operation = makeOperation({ sender, nonce, calls })
    transaction.operation = { operation, hash: hashOperation(operation, chainId) }
  }
  // Before anything is waited for: the next one has the next number.
  world.transactions.set(transaction.id, transaction)
  if (wallet.custodian) sendTransaction(world, transaction)
  await signAsCustodian(world, transaction)
  return { status: 201, body: viewWalletTransaction(transaction) }
}

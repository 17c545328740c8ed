import {
  type Address,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  padHex,
  parseAbi,
  parseAbiParameters,
} from 'viem'
import { entryPoint08Address, getUserOperationHash } from 'viem/account-abstraction'
import { makeKey } from '../../../api/makeKey.js'
import { type EncodedCall, encodeCalls } from '../../../engine/evm/encodeCalls.js'
import { type AskedParams, readParams } from '../../../engine/wallet/readParams.js'
import { isSameSigner } from '../../../engine/wallet/signer.js'
import { evmChains } from '../../../schema/chains.js'
import type { UserOperation } from '../../../schema/transaction.js'
import type { Answer } from '../http.js'
import { badInput } from '../http.js'
import type { CallTransaction, EvmUserWallet, TestWorld } from '../testWorld.js'
import { toUuid } from '../toUuid.js'
import { createMessage } from './messages/createMessage.js'
import { readChain } from './readTransactions.js'
import { sendTransaction } from './sendTransaction.js'
import { toRevertData, tryTransaction } from './tryTransaction.js'
import { requireTestWallet } from './wallets.js'
import { viewWalletTransaction } from './walletTransaction.js'

const abi = parseAbi(['function execute(bytes32 mode, bytes executionData)'])
const executions = parseAbiParameters('(address target, uint256 value, bytes data)[]')
/** Several calls, all or none (ERC-7821). */
const batchMode = padHex('0x01', { dir: 'right', size: 32 })

/** What a smart wallet's contract is called with in order to make calls. */
const encodeExecution = (calls: readonly EncodedCall[]): Hex => {
  const batch = calls.map(({ to, value, data }) => ({ target: to, value: value, data }))
  const args = [batchMode, encodeAbiParameters(executions, [batch])] as const
  return encodeFunctionData({ abi, functionName: 'execute', args })
}

const gas = { callGasLimit: 200_000n, verificationGasLimit: 500_000n, preVerificationGas: 60_000n }

/** What an operation is made of. */
type NewOperation = { chainId: number; sender: Address; nonce: bigint; calls: readonly EncodedCall[] }

/**
 * Makes an operation that offers no fees: the service pays for its gas. It is yet to be signed.
 *
 * @returns The operation, and its hash as the EntryPoint (v0.8) computes it.
 */
const makeOperation = ({
  chainId,
  sender,
  nonce,
  calls,
}: NewOperation): { operation: UserOperation; hash: Hex } => {
  const callData = encodeExecution(calls)
  const fees = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }
  const userOperation = { sender, nonce, callData, ...gas, ...fees, signature: '0x' } as const
  const hash = getUserOperationHash({
    chainId,
    entryPointAddress: entryPoint08Address,
    entryPointVersion: '0.8',
    userOperation,
  })
  const operation = {
    sender,
    nonce: numberToHex(nonce),
    callData,
    signature: '0x',
    callGasLimit: numberToHex(gas.callGasLimit),
    verificationGasLimit: numberToHex(gas.verificationGasLimit),
    preVerificationGas: numberToHex(gas.preVerificationGas),
    maxFeePerGas: '0x0',
    maxPriorityFeePerGas: '0x0',
  }
  return { operation, hash }
}

/** How long an approval is waited for. */
const approvalSeconds = 3_600

const assertSigner = (signer: string | undefined, { adminSigner: { locator } }: EvmUserWallet): void => {
  if (signer === undefined || isSameSigner(signer, locator)) return
  throw badInput(`params.signer: expected ${locator}, the signer of this wallet`)
}

const encode = (params: AskedParams, chainId: number): EncodedCall[] =>
  'calls' in params
    ? encodeCalls(params.calls, 'params.calls', chainId)
    : encodeCalls([params.call], 'params.call', chainId)

/** What an operation is numbered by: its own lane with the deadline, or that of the custodian, in which they follow. */
const toNonce = (transaction: CallTransaction, sequence: number, deadlineSeconds: number): bigint => {
  if (transaction.wallet.custodian) return BigInt(sequence)
  return ((BigInt(deadlineSeconds) << 144n) | BigInt(sequence + 1)) << 64n
}

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
  if ('calls' in params) assertSigner(params.signer, wallet)
  const chain = readChain(world, 'params.chain', params.chain)
  if (chain === 'solana') throw badInput(`params.chain: an ${wallet.type} has no address on ${chain}`)
  const { chainId } = evmChains[chain]
  const calls = encode(params, chainId)
  tryTransaction(world, wallet, chainId, calls)
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
    const deadlineSeconds = Math.floor(createdAtMs / 1_000) + approvalSeconds
    const nonce = toNonce(transaction, own.length, deadlineSeconds)
    transaction.operation = makeOperation({ chainId, sender, nonce, calls })
    if (!wallet.custodian) transaction.deadlineMs = deadlineSeconds * 1_000
  }
  // Before anything is waited for: the next one has the next number.
  world.transactions.set(transaction.id, transaction)
  if (wallet.custodian) sendTransaction(world, transaction)
  await signAsCustodian(world, transaction)
  return { status: 201, body: viewWalletTransaction(transaction) }
}

import {
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  type TransactionMessageBytes,
} from '@solana/kit'
import type { LandedTransaction } from './blockstore.js'
import type { Simulation } from './execute.js'
import { feeOf } from './fees.js'
import { type Method, type RpcWorld, withContext } from './method.js'
import { commitmentOf, type RpcConfig, readAddress, readBytes, readConfig, readList } from './readParams.js'
import { invalidParams, RpcError } from './rpcError.js'
import { showAccount } from './showAccount.js'
import { showStatus, showTransaction } from './showTransaction.js'
import { describeTransactionError } from './transactionError.js'

const showSignature = ({ cluster }: RpcWorld, each: LandedTransaction) => ({
  signature: each.signature,
  slot: each.slot,
  err: each.error ?? null,
  memo: readMemo(each),
  blockTime: each.time,
  confirmationStatus: cluster.commitmentOf(each),
})

const memoPrograms: readonly string[] = [
  'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo',
  'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
]

/** Memos are shown with their length, as a node does: `[5] hello`. */
const readMemo = ({ bytes }: LandedTransaction): string | null => {
  const { messageBytes } = getTransactionDecoder().decode(bytes)
  const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
  if (message.version === 1) return null
  const memos = message.instructions.flatMap(({ programAddressIndex, data }) => {
    const isMemo = memoPrograms.includes(message.staticAccounts[programAddressIndex] ?? '')
    return isMemo && data ? [`[${data.length}] ${Buffer.from(data).toString('utf8')}`] : []
  })
  return memos.length ? memos.join('; ') : null
}

const showSimulation = ({ error, logs, computeUnits }: Simulation) => ({
  err: error ?? null,
  logs,
  unitsConsumed: computeUnits,
  accounts: null,
  innerInstructions: null,
  returnData: null,
  replacementBlockhash: null,
})

const readEncoded = (value: unknown, { encoding }: RpcConfig): Uint8Array => {
  const bytes = readBytes(value, encoding)
  try {
    const { messageBytes } = getTransactionDecoder().decode(bytes)
    const { version } = getCompiledTransactionMessageDecoder().decode(messageBytes)
    if (version === 'legacy' || version === 0) return bytes
    throw invalidParams(`transactions of version ${version} are not supported`)
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw invalidParams('these bytes are not a transaction')
  }
}

const readMessageBytes = (encoded: unknown): TransactionMessageBytes => {
  const bytes = readBytes(encoded, 'base64')
  try {
    getCompiledTransactionMessageDecoder().decode(bytes)
  } catch {
    throw invalidParams('these bytes are no message')
  }
  return bytes as unknown as TransactionMessageBytes
}

const sendTransaction: Method = ({ cluster }, [encoded, given]) => {
  const config = readConfig(given)
  const bytes = readEncoded(encoded, config)
  if (!config.skipPreflight) {
    const tried = cluster.simulate(bytes, { signatures: true, blockhash: true })
    if (tried.error === 'SignatureFailure') {
      throw new RpcError(-32003, 'Transaction signature verification failure')
    }
    if (tried.error !== undefined) {
      const message = `Transaction simulation failed: ${describeTransactionError(tried.error)}`
      throw new RpcError(-32002, message, showSimulation(tried))
    }
  }
  return cluster.submit(bytes)
}

const simulateTransaction: Method = (world, [encoded, given]) => {
  const config = readConfig(given)
  const bytes = readEncoded(encoded, config)
  const tried = world.cluster.simulate(bytes, {
    signatures: config.sigVerify === true,
    blockhash: config.replaceRecentBlockhash !== true,
  })
  const encoding = config.accounts?.encoding ?? 'base64'
  const wanted = config.accounts?.addresses.map((each) => {
    const found = tried.accounts.find(({ address }) => address === each)
    return found ? showAccount(world.cluster, found, { ...config, encoding }) : null
  })
  const shown = { ...showSimulation(tried), ...(wanted && { accounts: wanted }) }
  return withContext(world, commitmentOf(config), shown)
}

const getSignatureStatuses: Method = (world, [signatures]) => {
  const { cluster } = world
  const value = readList(signatures).map((signature) => {
    const found = cluster.findTransaction(signature, 'processed')
    if (!found) return null
    const confirmationStatus = cluster.commitmentOf(found)
    const confirmations = confirmationStatus === 'finalized' ? null : cluster.slotAt('processed') - found.slot
    const status = showStatus(found.error)
    return { slot: found.slot, confirmations, err: found.error ?? null, status, confirmationStatus }
  })
  return withContext(world, 'processed', value)
}

const getSignaturesForAddress: Method = (world, [account, given]) => {
  const config = readConfig(given)
  const all = world.cluster.listTransactions(readAddress(account), commitmentOf(config))
  const at = (signature: string | undefined): number => all.findIndex((each) => each.signature === signature)
  const begin = config.before === undefined ? 0 : at(config.before) + 1
  const end = config.until === undefined || at(config.until) < 0 ? all.length : at(config.until)
  return all
    .slice(begin, Math.min(end, begin + (config.limit ?? 1_000)))
    .map((each) => showSignature(world, each))
}

/** The methods that send transactions and tell what became of them. */
export const transactionMethods: Readonly<Record<string, Method>> = {
  sendTransaction,
  simulateTransaction,
  getSignatureStatuses,
  getSignaturesForAddress,
  getFeeForMessage: (world, [encoded, given]) => {
    const commitment = commitmentOf(readConfig(given))
    const messageBytes = readMessageBytes(encoded)
    const fee = world.cluster.isCurrent({ messageBytes }) ? feeOf(messageBytes) : null
    return withContext(world, commitment, fee)
  },
  getTransaction: ({ cluster }, [signature, given]) => {
    const config = typeof given === 'string' ? readConfig({ encoding: given }) : readConfig(given)
    const found = cluster.findTransaction(String(signature), commitmentOf(config))
    return found ? { slot: found.slot, blockTime: found.time, ...showTransaction(found, config) } : null
  },
}

import {
  BaseError,
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  isHex,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  TimeoutError,
  UnknownRpcError,
} from 'viem'
import { classifyStatus, classifyWords, createWithNode, type NodeFailure } from '#base/lib/nodeFailure.js'
import { readRevertData } from './readRevert.js'

/** Codes of JSON-RPC that providers document, beside those of EIP-1474, which have classes. */
const codes: Record<number, NodeFailure> = {
  // Alchemy, Infura and others repeat the HTTP status.
  429: 'limited',
  // QuickNode: requests a second.
  [-32007]: 'limited',
  // Providers that repeat the HTTP status in the range of JSON-RPC.
  [-32429]: 'limited',
  // Optimism's proxyd, which stands before many public nodes: no back end, its capacity, its answer, its time, limits.
  [-32011]: 'away',
  [-32012]: 'limited',
  [-32013]: 'away',
  [-32014]: 'limited',
  [-32015]: 'away',
  [-32016]: 'limited',
  [-32017]: 'limited',
  [-32018]: 'away',
  // Providers of many chains.
  [-32029]: 'limited',
  [-32090]: 'limited',
  [-32097]: 'limited',
  // Ankr: a key that is missing, or that may not call this.
  [-32051]: 'refused',
  [-32052]: 'refused',
  // BlockVision.
  [-32605]: 'limited',
  [-32606]: 'refused',
  [-32607]: 'limited',
}

/**
 * How nodes refuse a transaction, whose codes they share with their own failures. The fault is the transaction's, its
 * nonce's or its account's.
 */
const refusedWork =
  /\bnonce\b|insufficient (?:funds|balance)|lack of funds|underpriced|tx ?pool is full|already (?:known|imported)|known transaction|intrinsic gas|floor data gas|gas limit|gas required|fee cap|fee per gas|oversized data|configured cap/i

/**
 * Every request is well-formed, so parameters that a node calls invalid name a block that it does not have yet. A
 * reorganisation may have overtaken it. An unknown error is an answer that is no JSON-RPC.
 */
const awayKinds = [
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
  UnknownRpcError,
]

/**
 * Says what an error tells of the node that answered. Providers have words and codes of their own, so an answer counts as
 * the node's failure unless it is known to be about the requested work.
 *
 * @returns `undefined` if it is about the requested work: a revert, a transaction that it refuses, a mistake of ours.
 */
export const classifyNodeError = (error: unknown): NodeFailure | undefined => {
  // Contracts revert in words of their own. For a halted call, nodes use the same code as for their own failures.
  if (!(error instanceof BaseError) || readRevertData(error) !== undefined) return undefined
  const find = <Kind extends BaseError>(kind: abstract new (...input: never) => Kind): Kind | undefined => {
    const found = error.walk((cause) => cause instanceof kind)
    return found instanceof kind ? found : undefined
  }
  const byStatus = classifyStatus(find(HttpRequestError)?.status ?? 0)
  if (byStatus) return byStatus
  const answer = find(RpcRequestError)
  if (answer) {
    if (/revert/i.test(answer.details)) return undefined
    const known = codes[answer.code] ?? classifyWords(answer.details)
    if (known) return known
  }
  if (find(LimitExceededRpcError)) return 'limited'
  if (awayKinds.some((kind) => find(kind as typeof BaseError))) return 'away'
  return answer && !refusedWork.test(answer.details) ? 'unserved' : undefined
}

/** Whether the node failed, rather than the requested work. */
export const isNodeFailure = (error: unknown): boolean => classifyNodeError(error) !== undefined

/** What methods return. A result of another form is none: `{}`, `null` and nothing are what proxies answer. */
const forms: readonly [RegExp, (result: unknown) => boolean][] = [
  [
    /^eth_(?:blockNumber|chainId|getBalance|estimateGas|gasPrice|maxPriorityFeePerGas|getTransactionCount|sendRawTransaction)$/,
    (result) => isHex(result) && result.length > 2,
  ],
  [/^eth_(?:call|getCode)$/, (result) => isHex(result)],
  [/^eth_getLogs$/, Array.isArray],
  // `null` is a block or a transaction that the node does not have.
  [
    /^eth_get(?:Block|Transaction)/,
    (result) => result === null || (typeof result === 'object' && Object.keys(result).length > 0),
  ],
]

/**
 * Asserts that an answer has a result of its method.
 *
 * @throws {HttpRequestError} if it has none.
 */
export const assertResult = (url: string, method: string, result: unknown): void => {
  const form = forms.find(([name]) => name.test(method))?.[1] ?? ((given) => given !== undefined)
  if (form(result)) return
  throw new HttpRequestError({ url, body: { method }, details: 'the answer has no result' })
}

/** Runs work that needs the node. */
export const withNode = createWithNode(classifyNodeError)

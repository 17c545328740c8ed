import {
  BaseError,
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  RpcRequestError,
  TimeoutError,
} from 'viem'
import {
  classifyStatus,
  classifyWords,
  createChainUnavailable,
  type NodeFailure,
} from '../../../lib/nodeFailure.js'
import { readHalt } from './readHalt.js'

/** Codes of JSON-RPC that providers document, beside those of EIP-1474, which have classes. */
const codes: Record<number, NodeFailure> = {
  // Alchemy, Infura and others repeat the HTTP status.
  429: 'limited',
  // QuickNode: requests a second.
  [-32007]: 'limited',
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
 * Every request is well-formed, so parameters that a node calls invalid name a block that it does not have yet. A
 * reorganisation may have overtaken it.
 */
const awayKinds = [
  BlockNotFoundError,
  HttpRequestError,
  InternalRpcError,
  InvalidParamsRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
]

/**
 * Says what an error tells of the node that answered.
 *
 * @returns `undefined` if it is about the requested work: a revert, a transaction that it refuses, a mistake of ours.
 */
export const classifyNodeError = (error: unknown): NodeFailure | undefined => {
  // For a halted call, nodes use the same code as for their own failures.
  if (!(error instanceof BaseError) || readHalt(error) !== undefined) return undefined
  const find = <Kind extends BaseError>(kind: abstract new (...input: never) => Kind): Kind | undefined => {
    const found = error.walk((cause) => cause instanceof kind)
    return found instanceof kind ? found : undefined
  }
  const byStatus = classifyStatus(find(HttpRequestError)?.status ?? 0)
  if (byStatus) return byStatus
  const answer = find(RpcRequestError)
  if (answer) {
    const known = codes[answer.code]
    if (known) return known
    // A revert says in the contract's own words why.
    const said = /revert/i.test(answer.details) ? undefined : classifyWords(answer.details)
    if (said) return said
  }
  if (find(LimitExceededRpcError)) return 'limited'
  return awayKinds.some((kind) => find(kind as typeof BaseError)) ? 'away' : undefined
}

/** Whether the node failed, rather than the requested work. */
export const isNodeFailure = (error: unknown): boolean => classifyNodeError(error) !== undefined

/**
 * Ends a request whose HTTP status says that the node does not serve it, before a JSON-RPC error in its body takes the
 * place of that status.
 */
export const endOnStatus = (response: Response): void => {
  if (!classifyStatus(response.status)) return
  const { status, url, headers, statusText } = response
  throw new HttpRequestError({ status, url, headers, details: statusText })
}

/**
 * Runs work that needs the node.
 *
 * @throws {ServiceError} `chain-unavailable` if the node cannot be reached, does not answer in time, limits how much it
 * is asked or refuses the service.
 */
export const withNode = async <Result>(chain: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work()
  } catch (cause) {
    const failure = classifyNodeError(cause)
    if (failure === undefined) throw cause
    throw createChainUnavailable(chain, failure, cause)
  }
}

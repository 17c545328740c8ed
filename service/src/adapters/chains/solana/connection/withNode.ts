import { isSolanaError, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR } from '@solana/kit'
import { classifyStatus, classifyWords, createWithNode, type NodeFailure } from '#base/lib/nodeFailure.js'

/** The error of a node whose answer says why it did not do what it was asked. */
export class NodeFailureError extends Error {
  readonly failure: NodeFailure

  constructor(failure: NodeFailure, message: string) {
    super(message)
    this.failure = failure
  }
}

/** What a transaction failed with before it was sent: its words are those of programs. */
const simulationFailed = -32002
const unhealthy = -32005

/**
 * The codes of the requested work: a transaction that fails, is signed wrongly or has another version, and parameters of
 * ours that are wrong.
 */
const workCodes: readonly number[] = [simulationFailed, -32003, -32013, -32015, -32602]

/** The codes of a node that is behind, starting or overloaded: a later request succeeds. */
const passingCodes: readonly number[] = [-32004, unhealthy, -32007, -32014, -32016, -32603]

/** Says what a code of JSON-RPC tells of the node. Providers have codes of their own. */
const classifyCode = (code: number): NodeFailure | undefined => {
  if (workCodes.includes(code)) return undefined
  return passingCodes.includes(code) ? 'away' : 'unserved'
}

/** Whether a code is one of JSON-RPC or of Solana, which `@solana/kit` knows. It fails at all others. */
const isKnownCode = (code: number): boolean =>
  code === -32700 || (code >= -32603 && code <= -32600) || (code >= -32021 && code <= -32001)

/**
 * Says what the words of an error in an answer tell of the node. Providers use codes of their own, and some that mean
 * something else on Solana: -32005 of a node that is behind, -32007 of a slot that was skipped, -32016 of a slot not
 * reached. Errors with a known code keep their class, because a skipped slot or an unsupported version means something to
 * its reader.
 */
const classifyAnswer = (code: number, message: string): NodeFailure | undefined => {
  if (code === 429 || code === -32429) return 'limited'
  if (code === simulationFailed) return undefined
  const isLimit = code === unhealthy && !/unhealthy|behind/i.test(message)
  const failure = classifyWords(message) ?? (isLimit ? 'limited' : undefined)
  return failure ?? (isKnownCode(code) ? undefined : classifyCode(code))
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What methods return. A result of another form is none: `{}`, `null` and nothing are what proxies answer. */
const forms: readonly [RegExp, (result: unknown) => boolean][] = [
  // `null` is a block or a transaction that the node does not have.
  [/^get(?:Block|Transaction)$/, (result) => result === null || isRecord(result)],
  [/^(?:sendTransaction|getGenesisHash|requestAirdrop)$/, (result) => typeof result === 'string'],
  [
    /^get(?:Slot|BlockHeight|FirstAvailableBlock|MinimumBalanceForRentExemption)$/,
    (result) => typeof result === 'bigint' || typeof result === 'number',
  ],
  [/^get(?:Blocks|SignaturesForAddress|RecentPrioritizationFees)$/, Array.isArray],
  [
    /^(?:get(?:Balance|AccountInfo|MultipleAccounts|SignatureStatuses|LatestBlockhash|Token\w+)|isBlockhashValid|simulateTransaction)$/,
    (result) => isRecord(result) && isRecord(result.context) && result.value !== undefined,
  ],
  [/^getEpochInfo$/, (result) => isRecord(result) && result.absoluteSlot !== undefined],
]

/**
 * Asserts that an answer has a result of its method, or an error that `@solana/kit` knows. The answer to a list of
 * requests is a list, which its reader checks.
 *
 * @throws {@link NodeFailureError}
 */
export const assertAnswer = (payload: unknown, answer: unknown): void => {
  if (Array.isArray(payload) && Array.isArray(answer)) return
  if (isRecord(answer) && isRecord(answer.error)) {
    const { code, message } = answer.error
    const failure = classifyAnswer(Number(code), String(message))
    if (failure) throw new NodeFailureError(failure, `${String(code)}: ${String(message)}`)
    return
  }
  const result = isRecord(answer) ? answer.result : undefined
  const method = isRecord(payload) ? String(payload.method) : ''
  const form = forms.find(([name]) => name.test(method))?.[1] ?? ((given) => given !== undefined)
  if (!form(result)) throw new NodeFailureError('away', 'the answer has no result')
}

const passingNames: readonly string[] = ['AbortError', 'TimeoutError']

/**
 * Says what an error tells of the node that answered, or did not.
 *
 * @returns `undefined` if it is about the requested work.
 */
const classifyNodeError = (error: unknown): NodeFailure | undefined => {
  if (error instanceof NodeFailureError) return error.failure
  if (isSolanaError(error, SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR)) {
    return classifyStatus(error.context.statusCode) ?? 'away'
  }
  // The other errors of `@solana/kit` have codes of their own, which are of mistakes of ours.
  if (isSolanaError(error))
    return isKnownCode(error.context.__code) ? classifyCode(error.context.__code) : undefined
  if (!(error instanceof Error)) return undefined
  // `fetch` throws a TypeError with a cause when nothing answers, and a TimeoutError when its time is up.
  const isUnanswered =
    error instanceof TypeError ? error.cause !== undefined : passingNames.includes(error.name)
  return isUnanswered ? 'away' : undefined
}

/** Runs work that needs the node. */
export const withNode = createWithNode(classifyNodeError)

import { ServiceError } from '../errors.js'

/**
 * Why a node did not do what it was asked: it limits how much it is asked, it refuses the service's requests, it is down or
 * failing, or it answers and does not serve this: state that it lacks, a plan without this method, words of its own. In
 * each case the requested work itself may be right.
 */
export type NodeFailure = 'limited' | 'refused' | 'away' | 'unserved'

/**
 * HTTP statuses below 500 that say so whatever the body says. Others leave it to the error in the body. From 500, the
 * node or a proxy before it has failed, whatever the number.
 */
const statuses: Record<number, NodeFailure> = {
  401: 'refused',
  402: 'refused',
  403: 'refused',
  408: 'away',
  425: 'away',
  429: 'limited',
}

/** What providers write under codes that mean anything, -32000 above all. */
const words: readonly [RegExp, NodeFailure][] = [
  [/too many requests|rate.?limit|\brequests? (?:count|limit|rate)|\bcalls? limit|throttl/i, 'limited'],
  [/compute units|capacity|quota|\bcredits?\b/i, 'limited'],
  [/unauthori[sz]ed|forbidden|must be authenticated|payment required/i, 'refused'],
  [/\b(?:api|access|project) ?(?:key|token|id)\b/i, 'refused'],
  [/\btimed out|request timeout|deadline exceeded/i, 'away'],
]

/** Says what the HTTP status of an answer tells of the node, or `undefined` if its body decides. */
export const classifyStatus = (status: number): NodeFailure | undefined =>
  status >= 500 ? 'away' : statuses[status]

/** Says what the words of an error tell of the node, or `undefined` if they are not among those that providers share. */
export const classifyWords = (message: string): NodeFailure | undefined =>
  words.find(([text]) => text.test(message))?.[1]

const retryAfterSeconds: Record<NodeFailure, number> = {
  limited: 10,
  refused: 60,
  away: 5,
  unserved: 5,
}

/** Creates the error of a chain whose node failed. */
const createChainUnavailable = (chain: string, failure: NodeFailure, cause: unknown): ServiceError =>
  new ServiceError('chain-unavailable', `The chain ${chain} does not answer. Try again in a few minutes.`, {
    cause,
    // A node that limits, or does not serve one request, is there. Connecting anew would only ask it more.
    isOutage: failure !== 'limited' && failure !== 'unserved',
    retryAfterSeconds: retryAfterSeconds[failure],
  })

/** Runs work that needs the node of a chain. */
type WithNode = <Result>(chain: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Creates the function that runs work of a family of chains. It throws `chain-unavailable` if the node cannot be reached,
 * does not answer in time, limits how much it is asked or refuses the service.
 *
 * @param classify - Says what an error tells of the node; `undefined` if it is about the requested work.
 */
export const createWithNode =
  (classify: (error: unknown) => NodeFailure | undefined): WithNode =>
  async (chain, work) => {
    try {
      return await work()
    } catch (cause) {
      const failure = classify(cause)
      if (failure === undefined) throw cause
      throw createChainUnavailable(chain, failure, cause)
    }
  }

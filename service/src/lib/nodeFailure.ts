import { ServiceError } from '../errors.js'

/**
 * Why a node did not do what it was asked: it limits how much it is asked, it refuses the service's requests, or it is down,
 * failing or behind. In each case the requested work itself may be right.
 */
export type NodeFailure = 'limited' | 'refused' | 'away'

/** HTTP statuses that say so whatever the body says. Other statuses leave it to the error in the body. */
const statuses: Record<number, NodeFailure> = {
  401: 'refused',
  402: 'refused',
  403: 'refused',
  408: 'away',
  425: 'away',
  429: 'limited',
  502: 'away',
  503: 'away',
  504: 'away',
}

/** What providers write under codes that mean anything, -32000 above all. */
const words: readonly [RegExp, NodeFailure][] = [
  [/too many requests|rate.?limit|\brequests? (?:count|limit|rate)|\bcalls? limit|throttl/i, 'limited'],
  [/compute units|capacity|quota/i, 'limited'],
  [/unauthori[sz]ed|forbidden|must be authenticated|payment required/i, 'refused'],
  [/\b(?:api|access|project) ?(?:key|token|id)\b/i, 'refused'],
]

/** Says what the HTTP status of an answer tells of the node, or `undefined` if its body decides. */
export const classifyStatus = (status: number): NodeFailure | undefined => statuses[status]

/** Says what the words of an error tell of the node, or `undefined` if it is about the requested work. */
export const classifyWords = (message: string): NodeFailure | undefined =>
  words.find(([text]) => text.test(message))?.[1]

const retryAfterSeconds: Record<NodeFailure, number> = { limited: 10, refused: 60, away: 5 }

/** Creates the error of a chain whose node failed. */
export const createChainUnavailable = (chain: string, failure: NodeFailure, cause: unknown): ServiceError =>
  new ServiceError('chain-unavailable', `The chain ${chain} does not answer. Try again in a few minutes.`, {
    cause,
    // A node that limits is there. Connecting anew would only ask it more.
    isOutage: failure !== 'limited',
    retryAfterSeconds: retryAfterSeconds[failure],
  })

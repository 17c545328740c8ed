import type { Action } from '../schema/index.js'
import { readAction } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getAction}. */
export type GetActionParameters = KeyCallParameters & {
  /** The id from the answer that started it. */
  actionId: string
}

/**
 * Gets the state of an action, which changes a chain.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source interface.md "Get action status"; answers.md "Actions"
 */
export const getAction = async (
  client: Client,
  { actionId, ...call }: GetActionParameters,
): Promise<Action> =>
  requestBody(client, {
    method: 'GET',
    path: fillPath('/2022-06-09/actions/{actionId}', { actionId }),
    answer: readAction,
    ...call,
  })

import type { Action } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readAction } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
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
    operation: operations.getAction,
    params: { actionId },
    answer: readAction,
    ...call,
  })

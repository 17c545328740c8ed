import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link deleteTemplate}. */
export type DeleteTemplateParameters = KeyCallParameters & { collectionId: string; templateId: string }

/**
 * Deletes a template, which ends the sale and the minting of its copies. Minted copies stay.
 *
 * @throws {@link KassaError} `api.conflict` while open orders or unfinished mints name it, `api.not-found`, …
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const deleteTemplate = async (
  client: Client,
  { collectionId, templateId, ...call }: DeleteTemplateParameters,
): Promise<void> =>
  requestBody(client, {
    operation: operations.deleteTemplate,
    params: {
      collectionId,
      templateId,
    },
    answer: () => ({ data: undefined }),
    ...call,
  })

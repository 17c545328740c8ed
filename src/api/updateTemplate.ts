import type { UpdateTemplateBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link updateTemplate}. */
export type UpdateTemplateParameters = KeyCallParameters & {
  collectionId: string
  templateId: string
  /** Fields that you leave out stay as they are, also within `metadata`. */
  body: UpdateTemplateBody
}

/**
 * Changes the metadata or the supply limit of a template. Minted copies keep their metadata. {@link getTemplate}
 * returns the changed template, which not every service includes in its answer.
 *
 * @throws {@link KassaError} `api.conflict` when minted copies or paid orders prevent the change,
 * `api.not-found`, `api.bad-request` naming the field, …
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const updateTemplate = async (
  client: Client,
  { collectionId, templateId, ...call }: UpdateTemplateParameters,
): Promise<void> =>
  requestBody(client, {
    operation: operations.updateTemplate,
    params: {
      collectionId,
      templateId,
    },
    answer: () => ({ data: undefined }),
    ...call,
  })

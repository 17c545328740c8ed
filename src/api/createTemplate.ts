import type { CreateTemplateBody, Template } from '../schema/index.js'
import { readTemplate } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createTemplate}. */
export type CreateTemplateParameters = KeyCallParameters & {
  collectionId: string
  body: CreateTemplateBody
  /** The same key and body within 24 hours give the first answer again, not a second template. */
  idempotencyKey?: string | undefined
}

/**
 * Creates what many tokens of a collection are minted from.
 *
 * @throws {@link KassaError} `api.not-found` for the collection, `api.bad-request` naming the field, …
 * @source interface.md "Create token template"
 */
export const createTemplate = async (
  client: Client,
  { collectionId, ...call }: CreateTemplateParameters,
): Promise<Template> =>
  requestBody(client, {
    method: 'POST',
    path: fillPath('/2022-06-09/collections/{collectionId}/templates', { collectionId }),
    answer: readTemplate,
    ...call,
  })

import type { CreateTemplateBody, Template } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTemplate } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link createTemplate}. */
export type CreateTemplateParameters = KeyCallParameters & {
  collectionId: string
  body: CreateTemplateBody
  /** Within 24 hours, the same key and body return the first answer instead of creating a second template. */
  idempotencyKey?: string | undefined
}

/**
 * Creates a template from which many tokens of a collection are minted.
 *
 * @throws {@link KassaError} `api.not-found` for the collection, `api.bad-request` naming the field, …
 * @source interface.md "Create token template"
 */
export const createTemplate = async (
  client: Client,
  { collectionId, ...call }: CreateTemplateParameters,
): Promise<Template> =>
  requestBody(client, {
    operation: operations.createTemplate,
    params: { collectionId },
    answer: readTemplate,
    ...call,
  })

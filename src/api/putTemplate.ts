import type { CreateTemplateBody, Template } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTemplate } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link putTemplate}. */
export type PutTemplateParameters = KeyCallParameters & {
  collectionId: string
  /** Your own id: a UUID. */
  templateId: string
  body: CreateTemplateBody
}

/**
 * Creates a template with your own id. Repeating the call with the same content creates no second one.
 *
 * @returns The template as it is now.
 * @throws {@link KassaError} `api.conflict` when the id is taken with other content, `api.not-found` for the
 * collection, `api.bad-request` naming the field, …
 * @source answers.md "Revised: Wallets, tokens, credentials"
 */
export const putTemplate = async (
  client: Client,
  { collectionId, templateId, ...call }: PutTemplateParameters,
): Promise<Template> =>
  requestBody(client, {
    operation: operations.putTemplate,
    params: {
      collectionId,
      templateId,
    },
    answer: readTemplate,
    ...call,
  })

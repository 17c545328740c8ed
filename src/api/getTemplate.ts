import type { Template } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTemplate } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link getTemplate}. */
export type GetTemplateParameters = KeyCallParameters & { collectionId: string; templateId: string }

/**
 * Gets a template and the number of tokens minted from it.
 *
 * @throws {@link KassaError} `api.not-found`, …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const getTemplate = async (
  client: Client,
  { collectionId, templateId, ...call }: GetTemplateParameters,
): Promise<Template> =>
  requestBody(client, {
    operation: operations.getTemplate,
    params: {
      collectionId,
      templateId,
    },
    answer: readTemplate,
    ...call,
  })

import type { Template } from '../schema/index.js'
import { readTemplate } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { fillPath } from './fillPath.js'
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
    method: 'GET',
    path: fillPath('/2022-06-09/collections/{collectionId}/templates/{templateId}', {
      collectionId,
      templateId,
    }),
    answer: readTemplate,
    ...call,
  })

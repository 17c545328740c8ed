import type { TemplateList } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTemplateList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import type { PageParameters } from './request.js'
import { type KeyCallParameters, requestBody } from './request.js'

/** Parameters of {@link listTemplates}. */
export type ListTemplatesParameters = KeyCallParameters & PageParameters & { collectionId: string }

/**
 * Lists the templates of a collection, page by page.
 *
 * @throws {@link KassaError} `api.not-found` for the collection, `api.bad-request` for a page that cannot be,
 * …
 * @source answers.md "Mint, NFTs, templates, collections"
 */
export const listTemplates = async (
  client: Client,
  { collectionId, page, perPage, ...call }: ListTemplatesParameters,
): Promise<TemplateList> =>
  requestBody(client, {
    operation: operations.listTemplates,
    params: { collectionId },
    query: { page, perPage },
    answer: readTemplateList,
    ...call,
  })

import type { CreateTemplateBody, Template, TemplateList, UpdateTemplateBody } from '../schema/index.js'
import * as operations from '../schema/operations.js'
import { readTemplate, readTemplateList } from '../schema/tokenReaders.js'
import type { Client } from './client.js'
import { type KeyCallParameters, type PageParameters, requestBody } from './request.js'
import { writeQuery } from './writeQuery.js'

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
    query: writeQuery({ page, perPage }),
    answer: readTemplateList,
    ...call,
  })

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
